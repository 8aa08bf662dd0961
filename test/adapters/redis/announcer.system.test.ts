import { expect } from 'chai';
import { openRedisAnnouncer } from '../../../adapters/redis/announcer.ts';
import { makeCachedSessions } from '../../../adapters/session-cache/session-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { inRounds } from '../../contracts/race.ts';
import { NOW, sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { PATIENT, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { openStores, type Stores } from '../session-cache/opened.ts';
import { needsRedis, useServers } from './opened.ts';

// These stop their server, so it is always one of their own, whatever REDIS_URL names.
describe('Announcements over Redis', () => {
  let server: RedisServer;
  let store: Stores;
  let closeStore: () => Promise<void>;
  const { track, startServer } = useServers();
  // Stands still but where a test moves it: nothing is seen because its second is over.
  const clock = makeSettableClock();

  const open = async (
    options: { readonly url?: string; readonly deadline?: number; readonly prefix?: string } = PATIENT,
  ) => {
    const log = makeRecordingLog();
    const announcer = track(openRedisAnnouncer({ url: server.url, log, ...options }));
    const heard: (string | null)[] = [];
    announcer.onAnnounced((userId) => heard.push(userId));
    // It is up once it hears others. That others hear it takes a second connection, which may come later.
    await announcer.tried;
    await until(announcer.isUp);
    return { announcer, heard, events: () => log.lines.map(({ event }) => event).sort() };
  };

  /** What a process sees of a session, over announcements of its own. */
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
    const { heard } = await open({ prefix: 'other:', ...PATIENT });
    await first.announcer.announce('a user');
    await second.announcer.announce('ü');
    await until(() => first.heard.length === 3 && second.heard.length === 3);
    expect([first.heard, second.heard]).to.deep.equal([
      [null, 'a user', 'ü'],
      [null, 'a user', 'ü'],
    ]);
    expect(heard).to.deep.equal([null]);
    expect([...first.events(), ...second.events()]).to.deep.equal([]);
  });

  it('make a session that one process ended be refused by another at once', () =>
    inRounds(async () => {
      const [first, second] = [await openProcess(), await openProcess()];
      expect([await first.isLive(), await second.isLive()]).to.deep.equal([true, true]);
      await first.logOut();
      expect(await first.isLive()).to.equal(false);
      await until(async () => !(await second.isLive()));
      await store.sessions.remove('user', 'a');
      await store.sessions.add(sampleSession('a'), 20);
    }));

  for (const [what, lose] of [
    ['is gone', () => server.kill()],
    ['does not answer', () => server.signal('SIGSTOP')],
  ] as const) {
    it(`may fail while Redis ${what}: the other process sees the end of a session within a second`, async () => {
      // With the deadlines of the product: a call waits for them where Redis does not answer.
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

  it('come in again when Redis is back, beginning with word that some may have been missed', async () => {
    const { announcer, heard, events } = await open();
    await server.kill();
    await until(async () => !(await announcer.isUp()));
    await announcer.announce('nobody hears this');
    await server.start();
    await until(announcer.isUp);
    expect(heard).to.deep.equal([null, null]);
    await until(async () => {
      await announcer.announce('user');
      return heard.includes('user');
    });
    await until(() => events().length === 4);
    expect(events()).to.deep.equal([
      'announcements.back',
      'announcements.failed',
      'announcer.back',
      'announcer.failed',
    ]);
  });

  it('come in again after a line that went silent', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      const { announcer, heard } = await open({ url: `redis://127.0.0.1:${proxy.port}` });
      const { announcer: second } = await open();
      proxy.hold();
      await until(async () => !(await announcer.isUp()));
      proxy.release();
      await until(announcer.isUp);
      // On a busy machine the new line may be late and be replaced, too.
      await until(async () => {
        await second.announce('user');
        return heard.includes('user');
      });
      expect(heard.at(-1)).to.equal('user');
    } finally {
      await proxy.close();
    }
  });
});
