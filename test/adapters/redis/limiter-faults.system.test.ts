import { expect } from 'chai';
import type { RedisLimiter } from '../../../adapters/redis/limiter.ts';
import { inRounds, race } from '../../contracts/race.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { GENEROUS_DEADLINE, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';
import { needsRedis, useServers } from './open-redis.ts';

const keepBusy = (milliseconds: number) => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

// The tests flush, stop and starve their server, so they start their own even if REDIS_URL is set.
describe('The Redis limiter during faults', () => {
  const bucket = { name: 'client:login', limit: 30, seconds: 60 };
  let server: RedisServer;
  let log: ReturnType<typeof makeRecordingLog>;
  const { startServer, openLimits } = useServers();

  /** The default deadline is generous; tests of deadlines set their own. */
  const open = async (options: { readonly deadline?: number } = GENEROUS_DEADLINE, url = server.url) => {
    const { limiter } = openLimits(url, { log, beatEvery: 50, ...options });
    await limiter.tried;
    return limiter;
  };
  const allowedOf = async (limiter: RedisLimiter, calls: number, key = 'a', limit = bucket.limit) =>
    (await race(calls, () => limiter.take({ ...bucket, limit }, key))).filter(({ allowed }) => allowed)
      .length;
  const events = () => log.lines.map(({ event, fields }) => [event, fields?.reason]);
  /** The number of calls of a Redis command. */
  const callsOf = async (command: string) =>
    Number(
      new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await server.command('INFO commandstats'))?.[1] ?? 0,
    );
  /** The number of heartbeats of all processes. */
  const beats = () => callsOf('zcard');

  needsRedis('the Redis limiter during faults');

  beforeEach(async () => {
    server = await startServer(startRedis());
    log = makeRecordingLog();
  });

  it('allows exactly as many of 200 concurrent calls as the limit', () =>
    inRounds(async (round) => {
      const [first, second] = [await open(), await open()];
      const key = `round ${round}`;
      const allowed = await Promise.all([allowedOf(first, 100, key), allowedOf(second, 100, key)]);
      expect(allowed[0] + allowed[1]).to.equal(30);
      const budget = await first.take(bucket, key);
      expect(budget).to.include({ allowed: false, limit: 30, remaining: 0 });
      expect(budget.reset).to.be.within(55, 60);
    }));

  it('sends one round trip a call, and one for all calls of a turn of the event loop', async () => {
    const limiter = await open();
    await limiter.take(bucket, 'the script is known from here on');
    const before = await callsOf('evalsha');
    for (let call = 0; call < 50; call += 1) await limiter.take({ ...bucket, limit: 10 }, 'b');
    await race(100, () => limiter.take(bucket, 'c'));
    const calls = (await callsOf('evalsha')) - before;
    // The heartbeats are counted last, since some of them may be among the calls.
    expect(calls).to.be.within(51, 51 + (await beats()));
  });

  it('stores only digests as keys, each with a TTL', async () => {
    const limiter = await open();
    await limiter.take(bucket, 'zoe@example.com');
    const keys = await server.command('KEYS *');
    expect(keys)
      .to.match(/gatehouse:limit:[\w-]{43}\r/)
      .and.to.include('gatehouse:instances');
    expect(keys).not.to.include('zoe').and.not.to.include('login');
    for (const key of keys.match(/gatehouse:\S+/g) ?? []) {
      expect(await server.command(`TTL ${key}`), key).to.match(/^:[1-9]/);
    }
  });

  it('allows each process its share while Redis is down, and recovers', async () => {
    const limiters = [await open(), await open(), await open()];
    const [first] = limiters;
    if (first === undefined) throw new Error('No limiter was opened.');
    expect(await allowedOf(first, 20)).to.equal(20);
    const requiredBeats = (await beats()) + 6;
    await until(async () => (await beats()) > requiredBeats);
    await server.kill();
    await until(() => log.lines.length === 3);
    const shares = await Promise.all(limiters.map((limiter) => allowedOf(limiter, 20)));
    expect(shares).to.deep.equal([10, 10, 10]);
    expect(await first.take(bucket, 'b')).to.include({ allowed: true, limit: 10, remaining: 9 });
    expect(await allowedOf(first, 5, 'c', 2)).to.equal(1);
    expect(await first.isUp()).to.equal(false);
    expect(log.lines.map(({ event }) => event)).to.deep.equal(Array(3).fill('limiter.failed'));

    await server.start();
    await until(() => log.lines.length === 6);
    expect(log.lines.slice(3).map(({ event }) => event)).to.deep.equal(Array(3).fill('limiter.back'));
    const allowed = await Promise.all(limiters.map((limiter) => allowedOf(limiter, 20)));
    expect(allowed.reduce((sum, count) => sum + count)).to.equal(30);
  });

  it('counts locally after a start without Redis', async () => {
    await server.kill();
    const limiter = await open();
    expect(await allowedOf(limiter, 40)).to.equal(30);
    expect(events()).to.deep.equal([['limiter.failed', 'ECONNREFUSED']]);
  });

  it('delays calls for one deadline only if Redis does not answer', async () => {
    // Longer than the default, since Redis may be late on a busy machine before it is stopped.
    const limiter = await open({ deadline: 1_000 });
    await limiter.take(bucket, 'a');
    server.signal('SIGSTOP');
    expect((await limiter.take(bucket, 'b')).allowed).to.equal(true);
    expect(events()).to.deep.equal([['limiter.failed', 'late']]);
    // Calls that end within a few turns of the event loop have not waited for Redis.
    let answers = 0;
    for (let call = 0; call < 20; call += 1) void limiter.take(bucket, 'b').then(() => (answers += 1));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(answers).to.equal(20);
    server.signal('SIGCONT');
    await until(() => log.lines.length === 2);
    expect(events()[1]?.[0]).to.equal('limiter.back');
  });

  it('does not count its own busy time as lateness of Redis', async () => {
    const limiter = await open({});
    await limiter.take(bucket, 'a');
    const budget = limiter.take(bucket, 'a');
    // After the call is sent, before it is written.
    setImmediate(() => keepBusy(400));
    expect((await budget).remaining).to.equal(28);
    const another = limiter.take(bucket, 'a');
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    // After it is written, before the reply is read.
    keepBusy(400);
    expect((await another).remaining).to.equal(27);
    expect(events()).to.deep.equal([]);
  });

  it('counts locally while Redis is full, logs that once and recovers', async () => {
    const limiter = await open();
    await limiter.take(bucket, 'a');
    await server.command('CONFIG SET maxmemory-policy noeviction');
    await server.command('CONFIG SET maxmemory 1');
    expect(await allowedOf(limiter, 40)).to.equal(30);
    await until(() => events().length > 0);
    expect(await allowedOf(limiter, 40)).to.equal(0);
    expect(events()).to.deep.equal([['limiter.failed', 'OOM']]);
    await server.command('CONFIG SET maxmemory 0');
    await until(() => log.lines.length === 2);
    expect(events()[1]?.[0]).to.equal('limiter.back');
    expect(await allowedOf(limiter, 40)).to.equal(29);
  });

  it('logs once that a password was changed under a connection that was then lost', async () => {
    await server.command('ACL SETUSER gatehouse on >right ~* &* +@all');
    const limiter = await open(GENEROUS_DEADLINE, server.url.replace('//', '//gatehouse:right@'));
    await limiter.take(bucket, 'a');
    await server.command('ACL SETUSER gatehouse resetpass >changed');
    await server.command('CLIENT KILL USER gatehouse');
    const refusals = async () =>
      Number(/errorstat_WRONGPASS:count=(\d+)/.exec(await server.command('INFO errorstats'))?.[1]);
    await until(async () => (await refusals()) >= 3);
    await server.command('ACL SETUSER gatehouse resetpass >right');
    await until(() => events().at(-1)?.[0] === 'limiter.back');
    expect(events().slice(0, -1)).to.deep.equal([
      ['limiter.failed', 'lost'],
      ['limiter.failed', 'WRONGPASS'],
    ]);
  });

  it('starts over after FLUSHALL, and continues after SCRIPT FLUSH', async () => {
    const limiter = await open();
    expect(await allowedOf(limiter, 40)).to.equal(30);
    await server.command('SCRIPT FLUSH');
    expect(await allowedOf(limiter, 40)).to.equal(0);
    await server.command('FLUSHALL');
    expect(await allowedOf(limiter, 40)).to.equal(30);
    expect(events()).to.deep.equal([]);
  });

  it('continues while Redis evicts counts', async () => {
    const limiter = await open();
    await server.command('CONFIG SET maxmemory 3mb');
    await server.command('CONFIG SET maxmemory-policy allkeys-lru');
    for (let page = 0; page < 40; page += 1) {
      await race(1_000, (place) => limiter.take(bucket, `${page} ${place}`));
      await limiter.take(bucket, 'a');
    }
    expect(await server.command('INFO stats')).to.match(/evicted_keys:[1-9]/);
    expect((await limiter.take(bucket, 'fresh')).remaining).to.equal(29);
    expect(events()).to.deep.equal([]);
  });

  it('answers pending calls on close, and counts locally afterwards', async () => {
    const limiter = await open();
    const second = await open();
    const before = allowedOf(limiter, 40);
    await limiter.close();
    expect(await before).to.equal(30);
    expect((await limiter.take(bucket, 'a')).allowed).to.equal(true);
    expect(await server.command('ZCARD gatehouse:instances')).to.equal(':1\r\n');
    expect(await allowedOf(second, 5)).to.equal(0);
  });

  it('removes its instance from Redis on close, even if the script is unknown', async () => {
    await inRounds(async () => {
      // A server without the script receives a second call.
      await server.command('SCRIPT FLUSH');
      await (await open()).close();
      expect(await server.command('ZCARD gatehouse:instances')).to.equal(':0\r\n');
    });
  });
});
