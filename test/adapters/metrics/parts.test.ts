import { expect } from 'chai';
import { openMetrics } from '../../../adapters/metrics/metrics.ts';
import { unavailable } from '../../../core/errors.ts';
import { readSamples, sumOf } from '../../support/metrics.ts';
import { until } from '../../support/until.ts';

const NOW = 1_700_000_000_000;

describe('A measured part', () => {
  const metrics = openMetrics({ now: () => NOW });
  const value = async (name: string, ...labels: readonly string[]) =>
    sumOf(readSamples((await metrics.scrape()).text), name, ...labels);

  it('is the same object where nothing is measured about it', () => {
    const random = { bytes: () => new Uint8Array() };
    expect(metrics.part('random', random)).to.equal(random);
    expect(metrics.part('wake', metrics.scrape)).to.equal(metrics.scrape);
  });

  it('gives and throws what it gave and threw', async () => {
    const failure = unavailable('kms_unavailable', 'Down.');
    const kms = metrics.part('kms', {
      keyOf: () => 'key-1',
      seal: async (text: string) => `sealed ${text}`,
      open: async () => {
        throw failure;
      },
    });
    expect([kms.keyOf(), await kms.seal('a')]).to.deep.equal(['key-1', 'sealed a']);
    expect(await kms.open().catch((error: unknown) => error)).to.equal(failure);
    const calls = 'gatehouse_dependency_call_duration_seconds_count';
    expect(await value(calls, 'method="seal"', 'outcome="ok"')).to.equal(1);
    expect(await value(calls, 'method="open"', 'outcome="unavailable"')).to.equal(1);
    expect(await value(calls, 'method="keyOf"')).to.equal(0);
  });

  it('tells a cache that fails from one that has nothing', async () => {
    const answers: (() => Promise<string | undefined>)[] = [
      async () => 'entry',
      async () => undefined,
      () => Promise.reject(unavailable('cache_unavailable', 'Down.')),
    ];
    const cache = metrics.part('cache', { get: (which: number) => answers[which]?.() });
    for (const which of [0, 1, 2]) await cache.get(which)?.catch(() => undefined);
    const reads = (result: string) => value('gatehouse_cache_reads_total', `result="${result}"`);
    expect([await reads('hit'), await reads('miss'), await reads('failure')]).to.deep.equal([1, 1, 1]);
  });

  it('counts a delivery from its receipt until it was applied, and no other way of ending', async () => {
    const ledger = metrics.part('ledger', {
      listDue: async () => ['a', 'b'].map((id) => ({ id, body: '', receivedAt: NOW - 30_000, tries: 0 })),
      settle: async (_id: string, _standing: string) => undefined,
    });
    await ledger.listDue();
    await ledger.settle('a', 'applied');
    await ledger.settle('a', 'applied');
    await ledger.settle('b', 'ignored');
    await ledger.settle('unseen', 'applied');
    expect(await value('gatehouse_webhook_lag_seconds_count')).to.equal(1);
    expect(await value('gatehouse_webhook_lag_seconds_sum')).to.equal(30);
  });

  it('shows a limiter that counts by itself, until it does not any more', async () => {
    const ignore = () => undefined;
    const log = metrics.part('log', { info: ignore, warn: ignore, error: ignore } as Record<
      string,
      (event: string) => void
    >);
    for (const [level, event, apart] of [
      ['warn', 'limiter.apart', 1],
      ['info', 'limiter.shared', 0],
      ['warn', 'limiter.failed', 1],
      ['info', 'limiter.back', 0],
    ] as const) {
      log[level]?.(event);
      expect(await value('gatehouse_limiter_apart'), event).to.equal(apart);
    }
    expect(await value('gatehouse_log_lines_total')).to.equal(2);
  });

  it('holds a lease while it has it, and none that another has', async () => {
    const answers = [{ name: 'mail', fence: 1 }, undefined];
    const leases = metrics.part('leases', {
      take: async (_name: string) => answers.shift(),
      release: async (_name: string) => undefined,
    });
    const held = () => value('gatehouse_lease_held', 'task="mail"');
    await leases.take('mail');
    expect(await held()).to.equal(1);
    await leases.take('mail');
    expect(await held()).to.equal(0);
    answers.push({ name: 'mail', fence: 2 });
    await leases.take('mail');
    await leases.release('mail');
    expect(await held()).to.equal(0);
  });

  it('counts refusals of a limiter, and not its other methods', async () => {
    const limiter = metrics.part('limiter', {
      take: async (_bucket: { readonly name: string }, key: string) => ({ allowed: key === 'first' }),
      isUp: async () => false,
    });
    await limiter.take({ name: 'client:login' }, 'first');
    await limiter.take({ name: 'client:login' }, 'second');
    expect(await limiter.isUp()).to.equal(false);
    expect(await value('gatehouse_rate_limit_refusals_total')).to.equal(1);
  });

  it('counts a failed run of a job, and keeps when it last went well', async () => {
    let fails = true;
    const job = metrics.job({
      name: 'tidy',
      every: 60_000,
      run: async (fence: number) => {
        if (fails) throw new Error('no');
        return fence;
      },
    });
    const lastSuccess = () => value('gatehouse_background_last_success_timestamp_seconds', 'task="tidy"');
    const began = await lastSuccess();
    expect(await job.run(7).catch(() => 'failed')).to.equal('failed');
    expect(await lastSuccess()).to.equal(began);
    await until(() => Date.now() / 1_000 > began, 1_000);
    fails = false;
    expect(await job.run(7)).to.equal(7);
    const runs = 'gatehouse_background_duration_seconds_count';
    expect([await value(runs, 'outcome="error"'), await value(runs, 'outcome="ok"')]).to.deep.equal([1, 1]);
    expect(await lastSuccess()).to.be.greaterThan(began);
    expect(await value('gatehouse_background_interval_seconds', 'task="tidy"')).to.equal(60);
  });

  it('tells refused hashes from those that waited', async () => {
    metrics.hashed({ waited: 500, took: 250 });
    metrics.hashed(undefined);
    expect(await value('gatehouse_hash_wait_seconds_sum')).to.equal(0.5);
    expect(await value('gatehouse_hash_duration_seconds_sum')).to.equal(0.25);
    expect(await value('gatehouse_hash_refusals_total')).to.equal(1);
  });
});
