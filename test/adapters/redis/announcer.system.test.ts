import { expect } from 'chai';
import { openRedisAnnouncer } from '../../../adapters/redis/announcer.ts';
import { makeCachedSessions } from '../../../adapters/session-cache/session-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { inRounds } from '../../contracts/race.ts';
import { NOW, sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { GENEROUS_DEADLINE, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { openStores, type Stores } from '../session-cache/open-stores.ts';
import { needsRedis, useServers } from './open-redis.ts';

// The tests stop their server, so they start their own even if REDIS_URL is set.
describe('Announcements over Redis', () => {
  let server: RedisServer;
  let store: Stores;
  let closeStore: () => Promise<void>;
  const { track, startServer } = useServers();
  // The clock stands still, so that no cached session expires unless a test moves it.
  const clock = makeSettableClock();

  const open = async (
    options: {
      readonly url?: string;
      readonly deadline?: number;
      readonly prefix?: string;
    } = GENEROUS_DEADLINE,
  ) => {
    const log = makeRecordingLog();
    const announcer = track(openRedisAnnouncer({ url: server.url, log, ...options }));
    const received: (string | null)[] = [];
    announcer.onAnnounced((userId) => received.push(userId));
    // The announcer is up once it receives. To send takes a second connection, which may open later.
    await announcer.tried;
    await until(announcer.isUp);
    return { announcer, received, events: () => log.lines.map(({ event }) => event).sort() };
  };

  /** Opens a process with its own announcer, which reads and ends a session. */
  const openProcess = async (options?: Parameters<typeof open>[0]) => {
    const { announcer } = await open(options);
    const { sessions, sessionCache } = makeCachedSessions({ ...store, announcer, clock });
    const isLive = async () => (await sessionCache.find('user', 'a'))?.session.endedAt === null;
    return { announcer, isLive, logOut: () => sessions.end('user', 'a', NOW) };
  };

  needsRedis('announcements over Redis');

  beforeEach(async () => {
    server = await startServer(startRedis());
    clock.set(NOW);
    ({ store, close: closeStore } = await openStores());
    await store.accounts.add(sampleAccount('user'));
    await store.sessions.add(sampleSession('a'), 20);
  });

  afterEach(() => closeStore());

  it('reach every process, and none of another prefix', async () => {
    const [first, second] = [await open(), await open()];
    const { received } = await open({ prefix: 'other:', ...GENEROUS_DEADLINE });
    await first.announcer.announce('a user');
    await second.announcer.announce('ü');
    await until(() => first.received.length === 3 && second.received.length === 3);
    expect([first.received, second.received]).to.deep.equal([
      [null, 'a user', 'ü'],
      [null, 'a user', 'ü'],
    ]);
    expect(received).to.deep.equal([null]);
    expect([...first.events(), ...second.events()]).to.deep.equal([]);
  });

  it('end a session in all processes at once', () =>
    inRounds(async () => {
      const [first, second] = [await openProcess(), await openProcess()];
      expect([await first.isLive(), await second.isLive()]).to.deep.equal([true, true]);
      await first.logOut();
      expect(await first.isLive()).to.equal(false);
      await until(async () => !(await second.isLive()));
      await store.sessions.remove('user', 'a');
      await store.sessions.add(sampleSession('a'), 20);
    }));

  for (const [label, lose] of [
    ['is down', () => server.kill()],
    ['does not answer', () => server.signal('SIGSTOP')],
  ] as const) {
    it(`may fail while Redis ${label}: another process ends the session within a second`, async () => {
      // The default deadlines, since a call waits for them if Redis does not answer.
      const [first, second] = [await openProcess({}), await openProcess({})];
      await lose();
      expect(await second.isLive()).to.equal(true);
      await first.logOut();
      expect(await first.isLive()).to.equal(false);
      clock.set(NOW + 999);
      expect(await second.isLive()).to.equal(true);
      clock.set(NOW + 1_000);
      expect(await second.isLive()).to.equal(false);
    });
  }

  it('resume after a restart of Redis, with a notice that some may be lost', async () => {
    const { announcer, received, events } = await open();
    await server.kill();
    await until(async () => !(await announcer.isUp()));
    await announcer.announce('nobody hears this');
    await server.start();
    await until(announcer.isUp);
    expect(received).to.deep.equal([null, null]);
    await until(async () => {
      await announcer.announce('user');
      return received.includes('user');
    });
    await until(() => events().length === 4);
    expect(events()).to.deep.equal([
      'announcements.back',
      'announcements.failed',
      'announcer.back',
      'announcer.failed',
    ]);
  });

  it('resume after a connection went silent', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      const { announcer, received } = await open({ url: `redis://127.0.0.1:${proxy.port}` });
      const { announcer: second } = await open();
      proxy.hold();
      await until(async () => !(await announcer.isUp()));
      proxy.release();
      await until(announcer.isUp);
      // On a busy machine the new connection may be late and be replaced, too.
      await until(async () => {
        await second.announce('user');
        return received.includes('user');
      });
      expect(received.at(-1)).to.equal('user');
    } finally {
      await proxy.close();
    }
  });
});
