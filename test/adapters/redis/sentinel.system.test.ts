import { expect } from 'chai';
import { openFileCache } from '../../../adapters/compose/choose-adapters.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { EPOCH, entry } from '../../contracts/file-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeWorld, upload } from '../../core/files/open-files-core.ts';
import { freePort } from '../../support/free-port.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import {
  type RedisGroup,
  type ScriptedSentinel,
  sentinelUrl,
  startRedisGroup,
  startScriptedSentinel,
} from '../../support/servers/redis-sentinels.ts';
import { ONE_SECOND_DEADLINE, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { needsRedis, openFilesOn, refusalOfStart, testMissedRemoval, useServers } from './open-redis.ts';
import { redisSettings } from './redis-settings.ts';

/** Milliseconds after a failover within which everything must work again. */
const RECOVERY_MS = 5_000;

// The tests kill their servers, so they start their own even if REDIS_URL is set.
describe('Redis behind sentinels', () => {
  const folder = useTempFolder();
  const { track, startServer, ...opening } = useServers();

  const openCache = (url: string) => {
    const { cache, log } = opening.openCache(url);
    return { cache, reasons: () => log.lines.map(({ fields }) => fields?.reason) };
  };
  /** The files of a process with its own cache. */
  const openFiles = async (url: string, world: ReturnType<typeof makeWorld>) => {
    const { cache, reasons } = openCache(url);
    return { ...(await openFilesOn(cache, world)), reasons };
  };
  const isOn = async ({ command }: RedisServer, id: string) =>
    (await command(`EXISTS gatehouse:meta:${id}`)).startsWith(':1');

  needsRedis('Redis behind sentinels');

  describe('with scripted sentinels', () => {
    let primary: RedisServer;
    let sentinel: ScriptedSentinel;

    beforeEach(async () => {
      primary = await startServer(startRedis());
      sentinel = await startServer(startScriptedSentinel(primary.port));
    });

    it('is the primary that they name, used with its own credentials and database', async () => {
      await primary.command('ACL SETUSER ada on >sesame ~* &* +@all');
      const query = '?sentinelUsername=eve&sentinelPassword=open%2Fup';
      const url = sentinelUrl([sentinel.port], `/main/3${query}`).replace('//', '//ada:sesame@');
      const { cache, reasons } = openCache(url);
      await until(cache.isUp);
      await cache.fill(entry('a'), EPOCH, 60);
      expect(await primary.command('SELECT 3\r\nEXISTS gatehouse:meta:a')).to.include(':1');
      expect(sentinel.received()).to.match(/AUTH\r\n\$3\r\neve\r\n\$7\r\nopen\/up\r\n/);
      expect(sentinel.received()).not.to.include('sesame');
      expect(reasons()).to.deep.equal([]);
    });

    it('is found while one sentinel is down and another does not answer', async () => {
      const silent = await startServer(startRedis());
      silent.signal('SIGSTOP');
      const { cache } = openCache(sentinelUrl([await freePort(), silent.port, sentinel.port]));
      await until(cache.isUp);
      expect(silent.port).not.to.equal(primary.port);
    });

    it('may be down at the start with all sentinels, and is used once they are up', async () => {
      const port = await freePort();
      const url = sentinelUrl([port]);
      const opening = openFileCache(redisSettings(url, folder()), {
        clock: makeSettableClock(),
        log: makeRecordingLog(),
      });
      const cache = track(await opening);
      expect(await rejectionOf(() => cache.get('a', EPOCH))).to.include({ code: 'cache_unavailable' });
      await startServer(startScriptedSentinel(primary.port, port));
      await until(cache.isUp);
    });

    it('stops the start with the name of the setting if no sentinel knows the primary', async () => {
      sentinel.name(null);
      const settings = redisSettings(sentinelUrl([sentinel.port], '/wrong7'), folder());
      const parts = { clock: makeSettableClock(), log: makeRecordingLog() };
      const error = await refusalOfStart(() => openFileCache(settings, parts));
      expect(error).to.be.instanceOf(ConfigError);
      expect(String(error))
        .to.match(/REDIS_URL: Redis refuses .* \(NONAME\)/)
        .and.not.to.include('wrong7');
    });

    it('does not stop the start if one sentinel does not know the primary and another is down', async () => {
      sentinel.name(null);
      for (const ports of [
        [sentinel.port, await freePort()],
        [await freePort(), sentinel.port],
      ]) {
        const settings = redisSettings(sentinelUrl(ports), folder());
        const parts = { clock: makeSettableClock(), log: makeRecordingLog() };
        expect(await track(await openFileCache(settings, parts)).isUp()).to.equal(false);
      }
    });

    it('is never a replica that a stale sentinel names', async () => {
      const replica = await startServer(startRedis('--replicaof', '127.0.0.1', String(primary.port)));
      // A writable replica would accept the write.
      await replica.command('CONFIG SET replica-read-only no');
      const stale = await startServer(startScriptedSentinel(replica.port));
      const { cache } = openCache(sentinelUrl([stale.port, sentinel.port]));
      await until(cache.isUp);
      await cache.fill(entry('a'), EPOCH, 60);
      expect(await isOn(primary, 'a')).to.equal(true);
      const { cache: misledCache, reasons } = openCache(sentinelUrl([stale.port]));
      await until(() => reasons().length > 0);
      expect([await misledCache.isUp(), reasons()]).to.deep.equal([false, ['READONLY']]);
      expect(await replica.command('INFO commandstats')).not.to.include('cmdstat_evalsha');
    });

    it('is replaced by another primary that the sentinels name, even while still up', async () => {
      const next = await startServer(startRedis());
      const { cache, reasons } = openCache(sentinelUrl([sentinel.port]));
      await until(cache.isUp);
      sentinel.name(next.port);
      await until(() => reasons().length > 0);
      await until(cache.isUp);
      await cache.fill(entry('a'), EPOCH, 60);
      expect([await isOn(primary, 'a'), await isOn(next, 'a')]).to.deep.equal([false, true]);
      expect(reasons()).to.deep.equal(['SWITCHED', undefined]);
    });

    it('is kept while the sentinels are down or name a server that is not a primary', async () => {
      const replica = await startServer(startRedis('--replicaof', '127.0.0.1', String(primary.port)));
      const { cache, reasons } = openCache(sentinelUrl([sentinel.port]));
      await until(cache.isUp);
      const before = sentinel.received().length;
      sentinel.name(replica.port);
      await until(() => sentinel.received().length > before);
      sentinel.name(await freePort());
      const later = sentinel.received().length;
      await until(() => sentinel.received().length > later);
      await sentinel.end();
      await cache.fill(entry('a'), EPOCH, 60);
      expect(reasons()).to.deep.equal([]);
    });

    it('returns no record removed on the former primary to a process that starts later', async () => {
      const world = makeWorld();
      const next = await startServer(startRedis('--replicaof', '127.0.0.1', String(primary.port)));
      const { cache, files } = await openFiles(sentinelUrl([sentinel.port]), world);
      const { id } = await files.create(upload());
      await files.read(id);
      await until(() => isOn(next, id));
      await next.command('REPLICAOF NO ONE');
      await files.delete(id);
      await cache.close();
      sentinel.name(next.port);
      const late = await openFiles(sentinelUrl([sentinel.port]), world);
      expect(await isOn(next, id)).to.equal(true);
      await late.isGone(id);
    });

    it('returns no removed record to a process that read it on the new primary before', async () => {
      const world = makeWorld();
      const next = await startServer(startRedis('--replicaof', '127.0.0.1', String(primary.port)));
      const second = await startServer(startScriptedSentinel(primary.port));
      const [slow, fast] = [
        await openFiles(sentinelUrl([sentinel.port]), world),
        await openFiles(sentinelUrl([second.port]), world),
      ];
      const { id } = await slow.files.create(upload());
      await next.command('REPLICAOF NO ONE');
      second.name(next.port);
      await until(() => fast.reasons().length === 2);
      await fast.files.read(id);
      await until(() => isOn(next, id));
      await slow.files.delete(id);
      sentinel.name(next.port);
      await until(() => slow.reasons().length === 2);
      await slow.isGone(id);
      world.pass(1_000);
      await fast.isGone(id);
    });
  });

  describe('with real sentinels', () => {
    let group: RedisGroup;

    beforeEach(async () => {
      group = await startServer(startRedisGroup());
    });

    /** Resolves when the sentinels have named the replica as the primary. */
    const waitForFailover = () => until(async () => (await group.primaryPort()) === group.replica.port);

    for (const [label, lose] of [
      ['is killed', () => group.primary.kill()],
      ['does not answer', () => group.primary.signal('SIGSTOP')],
    ] as const) {
      it(`recovers within seconds of a failover if the primary ${label} and a sentinel is down`, async () => {
        const { cache, log } = opening.openCache(group.url, ONE_SECOND_DEADLINE);
        const { limiter, log: limiterLog } = opening.openLimits(group.url, {
          ...ONE_SECOND_DEADLINE,
          beatEvery: 100,
        });
        const { announcer, other, waitUntilReceived } = opening.openAnnouncers(
          group.url,
          ONE_SECOND_DEADLINE,
        );
        const all = [cache, limiter, announcer, other];
        const allUp = async () => (await Promise.all(all.map(({ isUp }) => isUp()))).every((isUp) => isUp);
        await until(allUp);
        const bucket = { name: 'client:login', limit: 2, seconds: 600 };
        await limiter.take(bucket, 'a');
        await until(async () => /limit:/.test(await group.replica.command('KEYS *')));

        await group.sentinels[0]?.kill();
        await lose();
        expect((await limiter.take(bucket, 'b')).allowed).to.equal(true);
        await waitForFailover();
        const since = performance.now();
        await until(allUp);
        await until(() => limiterLog.lines.some(({ event }) => event === 'limiter.back'));
        await waitUntilReceived('user');
        await cache.fill(entry('a'), EPOCH, 60);
        const recoveryMs = performance.now() - since;
        expect(recoveryMs).to.be.below(RECOVERY_MS);
        expect(await cache.get('a', EPOCH)).to.equal(entry('a').entry);
        // The earlier counts continue.
        expect((await limiter.take(bucket, 'a')).remaining).to.equal(0);
        expect(JSON.stringify([...log.lines, ...limiterLog.lines])).not.to.match(/127\.0\.0\.1|main/);
      });
    }

    it('returns no record whose removal the promoted replica missed', () =>
      testMissedRemoval({
        openFiles: (world) => openFiles(group.url, world),
        serversOf: async () => group,
        isOn,
        waitForFailover,
      }));
  });
});
