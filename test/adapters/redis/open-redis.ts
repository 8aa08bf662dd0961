import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openRedisAnnouncer } from '../../../adapters/redis/announcer.ts';
import { openRedisFileCache } from '../../../adapters/redis/file-cache.ts';
import { openRedisLimiter } from '../../../adapters/redis/limiter.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import type { OpenedCache } from '../../contracts/file-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeWorld, openFilesCore, upload } from '../../core/files/open-files-core.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import {
  canStartRedis,
  GENEROUS_DEADLINE,
  type RedisServer,
  startRedis,
} from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';
import { makeForks } from '../sqlite/limits/limiter-child.ts';

const CHILD = fileURLToPath(new URL('./take-many.js', import.meta.url));

/** Limiters on one Redis, in this process and in others, for the contract. */
export const openLimiters = async (url: string) => {
  const prefix = `gatehouse-test:${randomUUID()}:`;
  const clock = makeSettableClock();
  const log = makeRecordingLog();
  const open = async () => {
    const fallback = makeMemoryLimiter(clock);
    const limiter = openRedisLimiter({ url, log, clock, prefix, fallback, ...GENEROUS_DEADLINE });
    await limiter.tried;
    return limiter;
  };
  const [limiter, twin] = [await open(), await open()];
  const { fork, endForks } = makeForks(CHILD, () => [url, prefix, String(clock.now())]);
  return {
    limiter,
    twin,
    clock,
    fork,
    close: async () => {
      await endForks();
      await Promise.all([limiter.close(), twin.close()]);
      expect(log.lines).to.deep.equal([]);
    },
  };
};

/** Two caches on one Redis, for the contract. */
export const openCaches = async (url: string): Promise<OpenedCache> => {
  // The prefix contains characters with a meaning in patterns.
  const prefix = `gatehouse-test[a-z]*?\\:${randomUUID()}:`;
  const open = () => openRedisFileCache({ url, log: makeRecordingLog(), prefix, ...GENEROUS_DEADLINE });
  const [cache, other] = [open(), open()];
  await until(async () => (await cache.isUp()) && (await other.isUp()));
  return {
    cache,
    other,
    pass: (seconds) => pause(seconds * 1_000),
    close: async () => {
      await Promise.all([cache.close(), other.close()]);
    },
  };
};

/** The Redis of `REDIS_URL`, or one started for the tests of a file. Call it inside `describe`. */
export const redisForTests = (): (() => string) => {
  let url = process.env.REDIS_URL ?? '';
  let end = async (): Promise<void> => undefined;
  before(async () => {
    if (url !== '') return;
    const server = await startRedis();
    ({ url, end } = server);
  });
  after(() => end());
  return () => url;
};

/** Skips a suite if no Redis can be started. Call it inside `describe`. */
export const needsRedis = (label: string): void => {
  before(function () {
    if (canStartRedis()) return;
    console.log(`Left out: ${label}. That needs redis-server on the PATH.`);
    this.skip();
  });
};

interface Closable {
  close(): Promise<void> | void;
}

/** Closes opened resources after each test, and then ends started servers. Call it inside `describe`. */
export const useServers = () => {
  const opened: Closable[] = [];
  const servers: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((resource) => resource.close()));
    await Promise.all(servers.splice(0).map((server) => server.end()));
  });
  const track = <T extends Closable>(resource: T): T => {
    opened.push(resource);
    return resource;
  };
  return {
    track,
    startServer: async <T extends { end(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
      const server = await starting;
      servers.push(server);
      return server;
    },
    openCache: (
      url: string,
      options: Partial<Parameters<typeof openRedisFileCache>[0]> = GENEROUS_DEADLINE,
    ) => {
      const log = makeRecordingLog();
      return { cache: track(openRedisFileCache({ url, log, ...options })), log };
    },
    openLimits: (
      url: string,
      options: Partial<Parameters<typeof openRedisLimiter>[0]> = GENEROUS_DEADLINE,
    ) => {
      const log = makeRecordingLog();
      const fallback = makeMemoryLimiter(makeSettableClock());
      return { limiter: track(openRedisLimiter({ url, log, fallback, ...options })), log };
    },
    openAnnouncers: (
      url: string,
      options: Partial<Parameters<typeof openRedisAnnouncer>[0]> = GENEROUS_DEADLINE,
    ) => {
      const open = () => track(openRedisAnnouncer({ url, log: makeRecordingLog(), ...options }));
      const [announcer, other] = [open(), open()];
      const received: (string | null)[] = [];
      other.onAnnounced((userId) => received.push(userId));
      const waitUntilReceived = (userId: string) =>
        until(async () => {
          await announcer.announce(userId);
          return received.includes(userId);
        });
      return { announcer, other, waitUntilReceived };
    },
  };
};

/** The error that ends a start. Repeats a start whose server refuses too late, which only counts as a server that is down. */
export const refusalOfStart = async (start: () => Promise<Closable>): Promise<unknown> => {
  let refusal: unknown;
  await until(async () => {
    refusal = await start().then(
      (started) => started.close(),
      (error: unknown) => error,
    );
    return refusal !== undefined;
  });
  return refusal;
};

/** The files of a process with this cache. */
export const openFilesOn = async (
  cache: ReturnType<typeof openRedisFileCache>,
  world: ReturnType<typeof makeWorld>,
) => {
  const core = openFilesCore({ world, change: () => ({ cache }) });
  cache.onReturn(core.files.background.cacheReturned);
  await until(cache.isUp);
  const isGone = async (id: string) => {
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  };
  return { ...core, cache, isGone };
};

/** Tests that no process returns a record whose removal the promoted replica missed. */
export const testMissedRemoval = async ({
  openFiles,
  serversOf,
  isOn,
  waitForFailover,
}: {
  readonly openFiles: (world: ReturnType<typeof makeWorld>) => ReturnType<typeof openFilesOn>;
  readonly serversOf: (
    id: string,
  ) => Promise<{ readonly primary: RedisServer; readonly replica: RedisServer }>;
  readonly isOn: (server: RedisServer, id: string) => Promise<boolean>;
  readonly waitForFailover: (id: string, replica: RedisServer) => Promise<void>;
}) => {
  const world = makeWorld();
  const [first, other] = [await openFiles(world), await openFiles(world)];
  const { id } = await first.files.create(upload());
  const { primary, replica } = await serversOf(id);
  // A read fills the cache if Redis takes that in time.
  await until(async () => {
    await first.files.read(id);
    return isOn(replica, id);
  });
  // The replica loses its primary, and cannot sign in to it again.
  await replica.command('CONFIG SET masteruser nobody');
  await replica.command('CONFIG SET masterauth wrong');
  await primary.command('CLIENT KILL TYPE replica');
  await first.files.delete(id);
  await primary.kill();
  await waitForFailover(id, replica);
  expect(await isOn(replica, id)).to.equal(true);
  await until(async () => (await first.cache.isUp()) && (await other.cache.isUp()));
  const late = await openFiles(world);
  for (const { isGone } of [first, other, late]) await isGone(id);
};
