import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RedisFileCache } from '../../../adapters/redis/file-cache.ts';
import { EPOCH, entries, entry } from '../../contracts/file-cache.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { GENEROUS_DEADLINE, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { needsRedis, useServers } from './open-redis.ts';

/** Longer than the default, since Redis may be late on a busy machine before a test delays it. */
const LONG_DEADLINE = { deadline: 500 } as const;

// The tests flush, stop and starve their server, so they start their own even if REDIS_URL is set.
describe('The Redis cache during faults', () => {
  const { startServer, openCache } = useServers();
  let server: RedisServer;
  let proxy: TcpProxy | undefined;

  const open = async (options: Parameters<typeof openCache>[1] = {}) => {
    const { cache, log } = openCache(server.url, options);
    await until(cache.isUp);
    return { cache, log, events: () => log.lines.map(({ event }) => event) };
  };

  /** Counts the slow calls among at least a hundred failing ones, over at least `milliseconds`. */
  const countSlowCalls = async (cache: RedisFileCache, milliseconds: number) => {
    const end = performance.now() + milliseconds;
    let [calls, slow, ticks] = [0, 0, 0];
    // Ticks stop while the process gets no processor time, which must not count as waiting.
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    while (performance.now() < end || calls <= 100) {
      const ticksBefore = ticks;
      const error = await rejectionOf(() => cache.get('a', EPOCH));
      expect(error).to.include({ kind: 'unavailable', code: 'cache_unavailable' });
      const waited = (ticks - ticksBefore) * 10;
      expect(waited).to.be.below(1_000);
      calls += 1;
      if (waited >= 70) slow += 1;
      await new Promise(setImmediate);
    }
    clearInterval(ticking);
    return slow;
  };

  const scriptCalls = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await server.command('INFO commandstats'))?.[1]);

  needsRedis('Redis during faults');

  beforeEach(async () => {
    server = await startServer(startRedis());
  });

  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
  });

  it('recovers after Redis was lost again while its return was handled', async () => {
    const { cache, events } = await open(GENEROUS_DEADLINE);
    const pendingListeners: (() => void)[] = [];
    cache.onReturn(() => new Promise((resolve) => pendingListeners.push(resolve)));
    await server.kill();
    await server.start();
    await until(() => pendingListeners.length === 1);
    await server.kill();
    await server.start();
    await until(() => {
      for (const resume of pendingListeners.splice(0)) resume();
      return cache.isUp();
    });
    expect(events()).to.deep.equal(['cache.failed', 'cache.back']);
  });

  it('is unavailable while Redis is down, logs that once and recovers', async () => {
    const { cache, log, events } = await open(GENEROUS_DEADLINE);
    const returns: boolean[] = [];
    cache.onReturn((replaced) => {
      returns.push(replaced);
    });
    await cache.fill(entry('a'), EPOCH, 60);
    await server.kill();
    expect(await rejectionOf(() => cache.get('a', EPOCH))).to.include({ code: 'cache_unavailable' });
    expect(await countSlowCalls(cache, 300)).to.equal(0);
    for (const call of [
      () => cache.fill(entry('a'), EPOCH, 60),
      () => cache.load(entries(3), EPOCH, 60),
      () => cache.forget(['a'], EPOCH),
      () => cache.remove(['a'], 60),
      () => cache.clear(EPOCH),
      () => cache.stats(EPOCH),
    ]) {
      expect(await rejectionOf(call)).to.include({ kind: 'unavailable', code: 'cache_unavailable' });
    }
    expect([await cache.isUp(), returns]).to.deep.equal([false, []]);
    await server.start();
    await until(cache.isUp);
    // Redis is another process now, which might have loaded an old file.
    expect(returns).to.deep.equal([true]);
    await cache.fill(entry('a', 'new'), EPOCH, 60);
    expect(await cache.get('a', EPOCH)).to.equal('new');
    expect(events()).to.deep.equal(['cache.failed', 'cache.back']);
    expect(log.lines[0]).to.include({ level: 'warn' });
  });

  it('opens while Redis is down', async () => {
    await server.kill();
    const { cache, log } = openCache(server.url, {});
    await until(() => log.lines.length > 0);
    expect(log.lines).to.deep.equal([
      { level: 'warn', event: 'cache.failed', fields: { reason: 'ECONNREFUSED' } },
    ]);
    await server.start();
    await until(cache.isUp);
  });

  for (const [label, stop, go] of [
    ['is stopped', () => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
    ['is paused', () => server.command('CLIENT PAUSE 2500 ALL'), () => undefined],
    [
      'sleeps',
      async () => {
        void server.command('DEBUG SLEEP 2.5').catch(() => undefined);
        const answers = () => server.command('PING').then(() => true);
        await until(async () => !(await Promise.race([answers(), pause(100, false)])));
      },
      () => undefined,
    ],
  ] as const) {
    it(`delays one call by its deadline if Redis ${label}, and no others until it answers`, async () => {
      const { cache } = await open(LONG_DEADLINE);
      await cache.fill(entry('a'), EPOCH, 60);
      await stop();
      expect(await countSlowCalls(cache, 1_300)).to.equal(1);
      await go();
      await until(cache.isUp);
      expect(await cache.get('a', EPOCH)).to.equal(entry('a').entry);
    });
  }

  it('replaces a connection that went silent', async () => {
    proxy = await startTcpProxy(server.port);
    const { cache } = await open({ url: `redis://127.0.0.1:${proxy.port}`, ...LONG_DEADLINE });
    const returns: boolean[] = [];
    cache.onReturn((replaced) => {
      returns.push(replaced);
    });
    await cache.fill(entry('a'), EPOCH, 60);
    proxy.hold();
    expect(await countSlowCalls(cache, 1_000)).to.equal(1);
    proxy.release();
    await until(cache.isUp);
    expect(await cache.get('a', EPOCH)).to.equal(entry('a').entry);
    expect(returns).to.deep.equal([false]);
  });

  it('stores nothing of a call that timed out, however late it arrives', async () => {
    proxy = await startTcpProxy(server.port);
    // This time has passed when the load times out after two seconds.
    const { cache } = await open({
      url: `redis://127.0.0.1:${proxy.port}`,
      settableMs: 1_000,
      ...LONG_DEADLINE,
    });
    const { cache: other } = await open(GENEROUS_DEADLINE);
    // Redis has to know the script.
    await cache.fill(entry('c'), EPOCH, 60);
    await other.remove(['a', 'b'], 1);
    proxy.hold();
    const outcomes = await Promise.allSettled([
      cache.fill(entry('a', 'old'), EPOCH, 60),
      cache.load([entry('b', 'old')], EPOCH, 60),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    await until(async () => (await server.command('EXISTS gatehouse:meta:a')).startsWith(':0'));
    const before = await scriptCalls();
    proxy.release();
    await until(async () => (await scriptCalls()) === before + outcomes.length);
    await until(cache.isUp);
    expect([await cache.get('a', EPOCH), await cache.get('b', EPOCH)]).to.deep.equal([undefined, undefined]);
    await cache.fill(entry('a', 'new'), EPOCH, 60);
    expect(await other.get('a', EPOCH)).to.equal('new');
  });

  it('continues after FLUSHALL and SCRIPT FLUSH', async () => {
    const { cache, events } = await open(GENEROUS_DEADLINE);
    for (const line of ['FLUSHALL', 'SCRIPT FLUSH']) {
      await cache.fill(entry(`${line} a`), EPOCH, 60);
      expect(await server.command(line)).to.equal('+OK\r\n');
      expect(await cache.load([entry(`${line} a`), entry(`${line} b`)], EPOCH, 60)).to.equal(2);
      expect(await cache.forget([`${line} b`], EPOCH)).to.equal(1);
      await cache.remove([`${line} a`], 60);
      expect(await cache.stats(EPOCH)).to.include({ entries: 0 });
      expect(await cache.clear(EPOCH)).to.equal(0);
    }
    expect(events()).to.deep.equal([]);
  });

  it('misses evicted entries, and returns no wrong ones', async () => {
    const { cache } = await open(GENEROUS_DEADLINE);
    await server.command('CONFIG SET maxmemory 8mb');
    await server.command('CONFIG SET maxmemory-policy allkeys-lru');
    const texts = entries(2_000).map(({ id }) => entry(id, id.padEnd(10_000)));
    for (let at = 0; at < texts.length; at += 100) {
      await cache.load(texts.slice(at, at + 100), EPOCH, 60);
    }
    const hits = [];
    for (const { id, entry } of texts) {
      const text = await cache.get(id, EPOCH);
      expect(text === undefined || text === entry, id).to.equal(true);
      if (text !== undefined) hits.push(id);
    }
    expect(hits.length).to.be.within(1, 1_000);
  });

  it('is down while Redis is full, still reads, and frees memory by removals', async () => {
    const { cache, events } = await open(GENEROUS_DEADLINE);
    await server.command('CONFIG SET maxmemory 8mb');
    await server.command('CONFIG SET maxmemory-policy noeviction');
    const texts = entries(2_000).map(({ id }) => entry(id, id.padEnd(10_000)));
    let loaded = 0;
    const filling = rejectionOf(async () => {
      for (let at = 0; at < texts.length; at += 100) {
        loaded += await cache.load(texts.slice(at, at + 100), EPOCH, 60);
      }
    });
    expect(await filling).to.include({ kind: 'unavailable', code: 'cache_unavailable' });
    // The load itself used some of the memory temporarily.
    await server.command('CONFIG SET maxmemory 3mb');
    expect(await rejectionOf(() => cache.fill(entry('a'), EPOCH, 60))).to.include({ kind: 'unavailable' });
    expect(loaded).to.be.above(100);
    expect(await cache.get('file-7', EPOCH)).to.equal(texts[7]?.entry);
    expect(await cache.isUp()).to.equal(false);
    expect(events()).to.deep.equal(['cache.refused']);
    const ids = texts.slice(0, loaded).map(({ id }) => id);
    expect(await rejectionOf(() => cache.remove(ids, 60))).to.include({ kind: 'unavailable' });
    await cache.remove(ids, 60);
    expect(await cache.get('file-7', EPOCH)).to.equal(undefined);
    await cache.fill(entry('a'), EPOCH, 60);
    expect(await cache.get('a', EPOCH)).to.equal(entry('a').entry);
    expect(await cache.isUp()).to.equal(true);
  });

  it('logs WRONGPASS for a wrong password, without the password', async () => {
    await server.command('CONFIG SET requirepass right');
    const { cache, log } = openCache(server.url.replace('//', '//:sesame-wrong@'));
    await until(() => log.lines.length > 0);
    expect(await rejectionOf(() => cache.get('a', EPOCH))).to.include({ code: 'cache_unavailable' });
    expect(log.lines).to.deep.equal([
      { level: 'warn', event: 'cache.failed', fields: { reason: 'WRONGPASS' } },
    ]);
    await open({ url: server.url.replace('//', '//:right@') });
  });

  it('logs once that a password was changed under a connection that was then lost', async () => {
    await server.command('ACL SETUSER gatehouse on >right ~* &* +@all');
    const { cache, log } = await open({ url: server.url.replace('//', '//gatehouse:right@') });
    await server.command('ACL SETUSER gatehouse resetpass >changed');
    await server.command('CLIENT KILL USER gatehouse');
    const refusals = async () =>
      Number(/errorstat_WRONGPASS:count=(\d+)/.exec(await server.command('INFO errorstats'))?.[1]);
    // Attempts of two connections.
    await until(async () => (await refusals()) >= 6);
    await server.command('ACL SETUSER gatehouse resetpass >right');
    await until(cache.isUp);
    expect(log.lines.map(({ event, fields }) => [event, fields?.reason])).to.deep.equal([
      ['cache.failed', 'lost'],
      ['cache.failed', 'WRONGPASS'],
      ['cache.back', undefined],
    ]);
  });

  it('answers pending calls on close, and is unavailable afterwards', async () => {
    const { cache } = await open(GENEROUS_DEADLINE);
    const calls = Promise.all(entries(50).map((item) => cache.fill(item, EPOCH, 60)));
    await cache.close();
    await calls;
    expect(await rejectionOf(() => cache.get('a', EPOCH))).to.include({ code: 'cache_unavailable' });
    const { cache: another } = await open(GENEROUS_DEADLINE);
    expect(await another.stats(EPOCH)).to.include({ entries: 50 });
  });
});
