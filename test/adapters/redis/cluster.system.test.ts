import { expect } from 'chai';
import { openFileCache, openLimiter } from '../../../adapters/compose/choose-adapters.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { slotOf, tagOf } from '../../../adapters/redis/hash-tags.ts';
import { EPOCH, entry } from '../../contracts/file-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import type { makeWorld } from '../../core/files/open-files-core.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { type RedisCluster, startRedisCluster } from '../../support/servers/redis-cluster.ts';
import {
  GENEROUS_DEADLINE,
  ONE_SECOND_DEADLINE,
  type RedisServer,
  startRedis,
} from '../../support/servers/redis-server.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { needsRedis, openFilesOn, refusalOfStart, testMissedRemoval, useServers } from './open-redis.ts';
import { redisSettings } from './redis-settings.ts';

/** Milliseconds after a failover of the cluster within which everything must work again. */
const RECOVERY_MS = 5_000;

/** `count` ids whose keys have this tag. */
const idsWith = (tag: string, count: number): readonly string[] => {
  const ids: string[] = [];
  for (let place = 0; ids.length < count; place += 1) if (tagOf(`${place}`) === tag) ids.push(`${place}`);
  return ids;
};

// The tests kill their servers, so they start their own even if REDIS_URL is set.
describe('A Redis cluster', () => {
  const folder = useTempFolder();
  const { track, startServer, openCache, openLimits, openAnnouncers } = useServers();
  let cluster: RedisCluster;

  /** The files of a process with its own cache. */
  const openFiles = (world: ReturnType<typeof makeWorld>) =>
    openFilesOn(openCache(cluster.address, ONE_SECOND_DEADLINE).cache, world);
  const ownerOf = (id: string) => cluster.ownerOf(slotOf(tagOf(id)));
  const waitForOwner = (id: string, server: RedisServer) =>
    until(() => cluster.isOwner(slotOf(tagOf(id)), server));
  const isOn = async ({ command }: RedisServer, id: string) =>
    // Without READONLY a replica redirects to its primary.
    (await command(`READONLY\r\nEXISTS gatehouse:${tagOf(id)}meta:${id}`)).includes(':1');
  /** Resolves when the replicas have the data of the primaries. */
  const replicated = async () => {
    for (const primary of cluster.primaries) {
      const { command } = await cluster.replicaOf(primary);
      await until(async () => (await command('DBSIZE')) === (await primary.command('DBSIZE')));
    }
  };
  const openSettings = async (redisUrl: string, more: { readonly redisCluster?: boolean } = {}) => {
    const settings = { ...redisSettings(redisUrl, folder()), ...more };
    return track(await openFileCache(settings, { clock: makeSettableClock(), log: makeRecordingLog() }));
  };

  needsRedis('a Redis cluster');

  describe('with replicas', () => {
    beforeEach(async () => {
      cluster = await startServer(startRedisCluster());
    });

    for (const [label, lose] of [
      ['is killed', ({ kill }: RedisServer) => kill()],
      ['does not answer', ({ signal }: RedisServer) => signal('SIGSTOP')],
    ] as const) {
      it(`recovers within seconds of the failover if a primary ${label}`, async () => {
        const { cache, log } = openCache(cluster.address, ONE_SECOND_DEADLINE);
        const { limiter, log: limiterLog } = openLimits(cluster.address, {
          ...ONE_SECOND_DEADLINE,
          beatEvery: 100,
        });
        const { announcer, other, waitUntilReceived } = openAnnouncers(cluster.address, ONE_SECOND_DEADLINE);
        const all = [cache, limiter, announcer, other];
        const allUp = async () => (await Promise.all(all.map(({ isUp }) => isUp()))).every((isUp) => isUp);
        await until(allUp);
        const bucket = { name: 'client:login', limit: 2, seconds: 600 };
        const keys = Array.from({ length: 30 }, (_, place) => `client-${place}`);
        for (const key of keys) await limiter.take(bucket, key);
        await replicated();

        const primary = await ownerOf('a');
        const replica = await cluster.replicaOf(primary);
        // On a busy machine the first attempt may have timed out.
        const reported = log.lines.length;
        await lose(primary);
        const isCut = async () => !(await allUp());
        await until(isCut);
        expect((await limiter.take(bucket, 'another')).allowed).to.equal(true);
        await waitForOwner('a', replica);
        const since = performance.now();
        await until(allUp);
        await until(() => limiterLog.lines.some(({ event }) => event === 'limiter.back'));
        await waitUntilReceived('user');
        await cache.fill(entry('a'), EPOCH, 60);
        expect(performance.now() - since).to.be.below(RECOVERY_MS);
        expect(await cache.get('a', EPOCH)).to.equal(entry('a').entry);
        expect(await isOn(replica, 'a')).to.equal(true);
        // The earlier counts continue on every server.
        const answers = await Promise.all(keys.map((key) => limiter.take(bucket, key)));
        expect(answers.map(({ remaining }) => remaining)).to.deep.equal(keys.map(() => 0));
        const reports = log.lines.slice(reported);
        expect(
          reports.map(({ event }) => event),
          JSON.stringify(reports),
        ).to.deep.equal(['cache.failed', 'cache.back']);
        expect(JSON.stringify([...log.lines, ...limiterLog.lines])).not.to.include('127.0.0.1');
      });
    }

    it('returns no record whose removal the promoted replica missed', () =>
      testMissedRemoval({
        openFiles,
        serversOf: async (id) => {
          const primary = await ownerOf(id);
          return { primary, replica: await cluster.replicaOf(primary) };
        },
        isOn,
        waitForFailover: waitForOwner,
      }));

    it('fails no call during a manual failover, and counts as replaced', async () => {
      const { cache, log } = openCache(cluster.address);
      const returns: boolean[] = [];
      cache.onReturn((replaced) => {
        returns.push(replaced);
      });
      await until(cache.isUp);
      await cache.fill(entry('a'), EPOCH, 60);
      const primary = await ownerOf('a');
      const replica = await cluster.replicaOf(primary);
      await until(() => isOn(replica, 'a'));
      await replica.command('CLUSTER FAILOVER');
      await until(async () => {
        await cache.remove(['b'], 60);
        return (await primary.command('INFO replication')).includes('role:slave');
      });
      // The new primary has the entry, but it was made under the former primary.
      expect([await cache.get('a', EPOCH), returns.filter(Boolean)]).to.deep.equal([undefined, [true]]);
      expect(log.lines).to.deep.equal([]);
    });
  });

  describe('of three primaries', () => {
    const TAG = tagOf('0');
    const ids = idsWith(TAG, 12);
    const entries = ids.map((id) => entry(id));

    beforeEach(async () => {
      const options = ['--cluster-require-full-coverage', 'no'];
      cluster = await startServer(startRedisCluster({ replicas: 0, options }));
    });

    for (const [label, receiver] of [
      ['another primary', () => cluster.primaries[2]],
      ['a new primary', () => cluster.addPrimary()],
    ] as const) {
      it(`moves slots to ${label} without a failed call`, async () => {
        const { cache, log } = openCache(cluster.address);
        const { cache: other } = openCache(cluster.address);
        const { limiter, log: limiterLog } = openLimits(cluster.address);
        const returns: boolean[] = [];
        cache.onReturn((replaced) => {
          returns.push(replaced);
        });
        await until(async () => (await cache.isUp()) && (await other.isUp()) && (await limiter.isUp()));
        const to = await receiver();
        if (to === undefined) throw new Error('There is no third primary.');
        expect((await ownerOf('0')).port).not.to.equal(to.port);
        const [removed = '', ...rest] = ids;
        await cache.load(entries, EPOCH, 600);
        await cache.remove([removed], 600);
        const bucket = { name: 'client:login', limit: 1_000, seconds: 600 };
        let calls = 0;
        await cluster.moveSlot(slotOf(TAG), to, async () => {
          calls += 1;
          expect(await cache.load(entries, EPOCH, 600)).to.equal(rest.length);
          expect(await other.get(removed, EPOCH)).to.equal(undefined);
          for (const id of rest) expect(await other.get(id, EPOCH)).to.be.oneOf([undefined, entry(id).entry]);
          // Half of these ids exist, as do half of the limiter's keys.
          const [filled = '', ...missing] = idsWith(TAG, 40 + 4 * calls).slice(-4);
          await other.fill(entry(filled), EPOCH, 600);
          await cache.remove([filled, ...missing], 600, 'mark');
          await other.renew([entry(filled)], 'mark', EPOCH, 600);
          expect(await other.forget([filled, ...missing], EPOCH)).to.equal(1);
          const answers = await Promise.all(
            ids.flatMap((id) => [limiter.take(bucket, id), limiter.take(bucket, `${id} ${calls}`)]),
          );
          expect(new Set(answers.map(({ remaining }) => remaining))).to.deep.equal(
            new Set([1_000 - calls, 999]),
          );
          expect((await cache.stats(EPOCH)).entries).to.be.below(rest.length + 1);
        });
        expect((await ownerOf('0')).port).to.equal(to.port);
        expect(calls).to.be.above(8);
        expect(await other.get(rest[0] ?? '', EPOCH)).to.equal(entry(rest[0] ?? '').entry);
        await other.fill(entry(removed), EPOCH, 600);
        expect(await other.get(removed, EPOCH)).to.equal(undefined);
        expect([...log.lines, ...limiterLog.lines]).to.deep.equal([]);
        expect(returns.filter(Boolean)).to.deep.equal([]);
      });
    }

    it('continues with its other primaries after one is lost', async () => {
      const { cache } = openCache(cluster.address);
      const { limiter } = openLimits(cluster.address, { ...GENEROUS_DEADLINE, beatEvery: 100 });
      const { waitUntilReceived } = openAnnouncers(cluster.address);
      await until(async () => (await cache.isUp()) && (await limiter.isUp()));
      const lost = await ownerOf('0');
      const { command } = cluster.primaries.find((primary) => primary !== lost) ?? lost;
      await lost.kill();
      await until(async () => /master,fail /.test(await command('CLUSTER NODES')));
      const names = Array.from({ length: 60 }, (_, place) => `name-${place}`);
      const ofOthers: string[] = [];
      for (const name of names) if ((await ownerOf(name)) !== lost) ofOthers.push(name);
      expect(ofOthers.length).to.be.within(20, 59);
      for (const id of ofOthers) {
        await cache.fill(entry(id), EPOCH, 60);
        expect(await cache.get(id, EPOCH)).to.equal(entry(id).entry);
      }
      expect(await rejectionOf(() => cache.get('0', EPOCH))).to.include({ code: 'cache_unavailable' });
      expect(await cache.isUp()).to.equal(false);
      const bucket = { name: 'client:login', limit: 1, seconds: 600 };
      for (const allowed of [true, false]) {
        const answers = await Promise.all(names.map((name) => limiter.take(bucket, name)));
        expect(new Set(answers.map((answer) => answer.allowed))).to.deep.equal(new Set([allowed]));
      }
      await waitUntilReceived('user');
      // The lost primary restarts empty.
      await lost.start();
      await until(cache.isUp);
      expect(await cache.get('0', EPOCH)).to.equal(undefined);
    });

    it('reports a down primary once, although the others then refuse every call', async () => {
      const [first, second, lost] = cluster.primaries;
      for (const primary of cluster.primaries)
        await primary.command('CONFIG SET cluster-require-full-coverage yes');
      const { cache, log } = openCache(cluster.address);
      await until(cache.isUp);
      const reported = log.lines.length;
      await lost?.kill();
      // Each other primary notices the loss at its own time, and refuses calls from then on.
      for (const other of [first, second])
        await until(async () => /cluster_state:fail/.test((await other?.command('CLUSTER INFO')) ?? ''));
      for (const id of ['a', 'b', ...ids])
        expect(await rejectionOf(() => cache.get(id, EPOCH))).to.include({ code: 'cache_unavailable' });
      expect(log.lines.slice(reported).map(({ event }) => event)).to.deep.equal(['cache.failed']);
    });

    it('is found by one address with REDIS_CLUSTER=1, or by several of which one answers', async () => {
      const [primary] = cluster.primaries;
      for (const [url, redisCluster] of [
        [`redis://127.0.0.1:${primary?.port}`, true],
        [`redis://127.0.0.1:1,127.0.0.1:${primary?.port}`, false],
      ] as const) {
        const cache = await openSettings(url, { redisCluster });
        await until(cache.isUp);
        await cache.fill(entry(url), EPOCH, 60);
        expect(await cache.get(url, EPOCH)).to.equal(entry(url).entry);
      }
    });
  });

  it('stops the start with the name of the setting if it is no cluster or refuses the password', async () => {
    const alone = await startServer(startRedis('--requirepass', 'sesame'));
    const at = `127.0.0.1:${alone.port}`;
    for (const [url, word] of [
      [`redis://:sesame@${at}`, 'ERR'],
      [`redis://:wrong7@${at}`, 'WRONGPASS'],
      [`redis://${at}`, 'NOAUTH'],
    ] as const) {
      const error = await refusalOfStart(() => openSettings(url, { redisCluster: true }));
      expect(error, url).to.be.instanceOf(ConfigError);
      expect(String(error))
        .to.match(new RegExp(`REDIS_URL: Redis refuses .* is no cluster \\(${word}\\)`))
        .and.not.to.match(/sesame|wrong7/);
    }
  });

  it('stops the start with REDIS_LIMITER_URL if the server of the limiter refuses the password', async () => {
    const alone = await startServer(startRedis('--requirepass', 'sesame'));
    const redisLimiterUrl = `redis://:wrong7@127.0.0.1:${alone.port}`;
    const error = await refusalOfStart(async () => {
      const settings = { ...redisSettings(null, folder()), redisLimiterUrl };
      const limiter = track(openLimiter(settings, { clock: undefined, log: makeRecordingLog() }));
      await limiter.tried;
      return limiter;
    });
    expect(String(error)).to.match(/REDIS_LIMITER_URL: Redis refuses .*\(WRONGPASS\)/);
  });
});
