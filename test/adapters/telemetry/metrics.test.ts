import { expect } from 'chai';
import { noBilling } from '../../../adapters/billing/no-provider.ts';
import { findEmbeddedStore } from '../../../adapters/choose-store.ts';
import { makeMemoryFileCache } from '../../../adapters/memory/file-cache.ts';
import type { Dependencies } from '../../../adapters/telemetry/dependency-metrics.ts';
import { openMetrics } from '../../../adapters/telemetry/metrics.ts';
import { unavailable } from '../../../core/errors.ts';
import type { FileCache, Kms } from '../../../core/index.ts';
import { readSamples, sumOf } from '../../support/metrics.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { scriptedProviders } from '../../support/scripted-providers.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const NOW = 1_700_000_000_000;
const clock = { now: () => NOW };

/** An instance of a class, whose methods are on its prototype. */
class OwnKms implements Kms {
  readonly #prefix = 'own:';
  async seal(plain: Uint8Array) {
    return `${this.#prefix}${plain.length}`;
  }
  async open(): Promise<never> {
    throw unavailable('kms_unavailable', 'Down.');
  }
  keyOf(sealed: string) {
    return sealed.startsWith(this.#prefix) ? 'one' : undefined;
  }
  async current() {
    return 'one';
  }
}

describe('A measured port', () => {
  const metrics = openMetrics(clock, { version: '1.0.0', store: 'sqlite' });
  const folder = useTempFolder();
  const value = async (name: string, ...labels: readonly string[]) =>
    sumOf(readSamples((await metrics.scrape()).text), name, ...labels);
  const measure = (changed: Partial<Dependencies> = {}): Dependencies =>
    metrics.dependencies({
      cache: makeMemoryFileCache(clock),
      dns: { txt: async () => [] },
      kms: new OwnKms(),
      mailer: { send: async () => ({ outcome: 'sent' }) },
      provider: noBilling,
      providers: scriptedProviders().port,
      webhookSender: { endpoints: [], idOf: (url) => url, send: async () => ({ outcome: 'sent' }) },
      rateSource: { latest: async () => ({ mid: '4', effectiveDate: '2026-01-01' }) },
      ...changed,
    });
  const calls = (...labels: readonly string[]) =>
    value('gatehouse_dependency_call_duration_seconds_count', ...labels);

  it('returns and throws what the original returns and throws', async () => {
    const { kms } = measure();
    expect([kms.keyOf('own:3'), await kms.seal(new Uint8Array(3), 'c')]).to.deep.equal(['one', 'own:3']);
    expect(await kms.open('own:3', 'c').catch((error: unknown) => error)).to.include({
      code: 'kms_unavailable',
    });
    expect(await calls('method="seal"', 'outcome="ok"')).to.equal(1);
    expect(await calls('method="open"', 'outcome="unavailable"')).to.equal(1);
    expect(await calls('method="keyOf"')).to.equal(0);
  });

  it('labels a call with its identity provider if that is configured', async () => {
    const { list, begin } = measure().providers;
    const flow = { state: 's', nonce: 'n', verifier: 'v', proof: false };
    for (const id of [...list.map((provider) => provider.id), 'whatever']) await begin(id, flow);
    expect(await calls('dependency="oidc:example"', 'method="begin"', 'outcome="ok"')).to.equal(1);
    expect(await calls('dependency="oidc:whatever"')).to.equal(0);
  });

  it('counts hits, misses and failures of the cache apart', async () => {
    const memory = makeMemoryFileCache(clock);
    const failing = async () => Promise.reject(unavailable('cache_unavailable', 'Down.'));
    const gets: FileCache['get'][] = [async () => 'entry', memory.get, failing];
    for (const get of gets) {
      await measure({ cache: { ...memory, get } })
        .cache.get('id', 1)
        .catch(() => undefined);
    }
    const reads = (result: string) => value('gatehouse_cache_reads_total', `result="${result}"`);
    expect([await reads('hit'), await reads('miss'), await reads('failure')]).to.deep.equal([1, 1, 1]);
    expect(await calls('dependency="cache"', 'method="get"')).to.equal(3);
  });

  describe('of a store', () => {
    const open = async () => {
      const place = findEmbeddedStore(folder(), { clock, log: makeRecordingLog(), isServer: true });
      const { ports } = await place.open();
      return { ...metrics.stores(ports), close: place.close };
    };
    let store: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it('measures the lag of applied deliveries only, once each', async () => {
      const { ledger } = store;
      for (const id of ['a', 'b']) await ledger.add({ id, body: '{}' }, NOW - 30_000);
      expect(await ledger.listDue(NOW, 10, Number.MAX_SAFE_INTEGER)).to.have.length(2);
      await ledger.move('a', { state: 'applied', userId: null });
      await ledger.move('a', { state: 'applied', userId: null });
      await ledger.move('b', { state: 'ignored', userId: null, body: null });
      await ledger.move('unseen', { state: 'applied', userId: null });
      expect(await ledger.findState('a')).to.equal('applied');
      expect(await value('gatehouse_webhook_lag_seconds_count')).to.equal(1);
      expect(await value('gatehouse_webhook_lag_seconds_sum')).to.equal(30);
      const timed = 'gatehouse_store_call_duration_seconds_count';
      expect(await value(timed, 'store="ledger"', 'method="move"', 'outcome="ok"')).to.equal(4);
    });

    it('labels a port with its original name', async () => {
      await store.attempts.find('key', NOW);
      const timed = 'gatehouse_store_call_duration_seconds_count';
      expect(await value(timed, 'store="tries"', 'method="find"', 'outcome="ok"')).to.equal(1);
    });

    it('reports a lease that this process holds, and none of another', async () => {
      const { leases } = store;
      const leaseHeld = () => value('gatehouse_lease_held', 'task="mail"');
      expect(await leases.take('mail', 'another', 60_000)).to.include({ name: 'mail' });
      await leases.release('mail', 'another');
      await leases.take('mail', 'this', 60_000);
      expect(await leaseHeld()).to.equal(1);
      expect(await leases.take('mail', 'another', 60_000)).to.equal(undefined);
      expect(await leaseHeld()).to.equal(0);
      await leases.take('mail', 'this', 60_000);
      await leases.release('mail', 'this');
      expect(await leaseHeld()).to.equal(0);
    });
  });

  it('reports whether the limiter counts locally', async () => {
    const recording = makeRecordingLog();
    const log = metrics.log(recording);
    for (const [level, event, apart] of [
      ['warn', 'limiter.apart', 1],
      ['info', 'limiter.shared', 0],
      ['error', 'limiter.failed', 1],
      ['info', 'limiter.back', 0],
    ] as const) {
      log[level](event);
      expect(await value('gatehouse_limiter_apart'), event).to.equal(apart);
    }
    expect(await value('gatehouse_log_lines_total')).to.equal(2);
    expect(recording.lines).to.have.length(4);
  });

  it('counts a failed run of a job, and keeps the time of the last success', async () => {
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
    const initialTime = await lastSuccess();
    expect(await job.run(7).catch(() => 'failed')).to.equal('failed');
    expect(await lastSuccess()).to.equal(initialTime);
    await until(() => Date.now() / 1_000 > initialTime);
    fails = false;
    expect(await job.run(7)).to.equal(7);
    const runs = 'gatehouse_background_duration_seconds_count';
    expect([await value(runs, 'outcome="error"'), await value(runs, 'outcome="ok"')]).to.deep.equal([1, 1]);
    expect(await lastSuccess()).to.be.greaterThan(initialTime);
    expect(await value('gatehouse_background_interval_seconds', 'task="tidy"')).to.equal(60);
  });

  it('counts refused hashes, and sums the times of others', async () => {
    metrics.hashed({ waited: 500, took: 250 });
    metrics.hashed(undefined);
    expect(await value('gatehouse_hash_wait_seconds_sum')).to.equal(0.5);
    expect(await value('gatehouse_hash_duration_seconds_sum')).to.equal(0.25);
    expect(await value('gatehouse_hash_refusals_total')).to.equal(1);
  });
});
