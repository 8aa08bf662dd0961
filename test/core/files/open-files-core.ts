import { openMemoryStore } from '../../../adapters/choose-store.ts';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeKeyRing, retireKey, rotateKeyRing } from '../../../adapters/kms/key-ring.ts';
import { makeLocalKms } from '../../../adapters/kms/local.ts';
import { makeMemoryFileCache } from '../../../adapters/memory/file-cache.ts';
import type { CreateFileInput } from '../../../core/files/file-record.ts';
import { createFiles } from '../../../core/files/files-module.ts';
import type { FilesPolicy } from '../../../core/files/policy.ts';
import type { FileCache, FilesPorts } from '../../../core/files/ports.ts';
import type { Clock } from '../../../core/ports.ts';
import { NOW } from '../../contracts/samples.ts';
import { makeCacheLink } from '../../support/cache-link.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

/** The resources that all processes of a service share: time, the store, owners, master keys and the cache. */
export const makeWorld = (openCache: (clock: Clock) => FileCache = makeMemoryFileCache) => {
  let now = NOW;
  let ring = makeKeyRing(NOW);
  const clock = { now: () => now };
  return {
    clock,
    /** Moves the clock forward. */
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    store: openMemoryStore(clock).ports,
    owners: new Map<string, 'account' | 'deleted'>(),
    kms: makeLocalKms({ current: () => ring, refresh: async () => undefined }),
    rotate: () => {
      ring = rotateKeyRing(ring, now);
    },
    /** Retires every key except the current key. */
    retire: () => {
      for (const { id } of ring.keys.filter((key) => key.id !== ring.current))
        ring = retireKey(ring, id, now);
    },
    cache: openCache(clock),
  };
};

export interface CoreOptions {
  readonly policy?: Partial<FilesPolicy>;
  readonly world?: ReturnType<typeof makeWorld>;
  /** Returns ports that replace the default ports. */
  readonly change?: (ports: FilesPorts) => Partial<FilesPorts>;
}

/** The files module of one process over a store in memory. */
export const openFilesCore = ({ policy, world = makeWorld(), change = () => ({}) }: CoreOptions = {}) => {
  const link = makeCacheLink(world.cache);
  const log = makeRecordingLog();
  const { files, activity, cacheGeneration, sealed, statistics } = world.store;
  const defaults: FilesPorts = {
    clock: world.clock,
    random: makeRandom(),
    log,
    digest: makeDigest([Buffer.alloc(32, 7)]),
    kms: world.kms,
    files,
    activity,
    sealed,
    cacheGeneration,
    statistics,
    cache: link.port,
    owners: { standing: async (user) => world.owners.get(user) ?? 'unknown' },
  };
  const ports: FilesPorts = { ...defaults, ...change(defaults) };
  return { files: createFiles(ports, policy), ports, world, link, log };
};

export type FilesCore = ReturnType<typeof openFilesCore>;

export const upload = (differences: Partial<CreateFileInput> = {}): CreateFileInput => ({
  filenameEnc: 'bmFtZQ==',
  size: 1_234,
  user: 'user',
  mimeType: 'image/png',
  dekEnc: 'wrapped elsewhere',
  thumb: true,
  ...differences,
});

/** Creates `count` files and returns their ids. */
export const createSome = async ({ files }: FilesCore, count: number, user = 'user') => {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push((await files.create(upload({ user }))).id);
  return ids;
};

/** Returns the ids whose entries are cached. */
export const cachedIn = async ({ ports, world }: FilesCore, ids: readonly string[]) => {
  const generation = await ports.cacheGeneration.read();
  const entries = await Promise.all(ids.map((id) => world.cache.get(id, generation)));
  return ids.filter((_, place) => entries[place] !== undefined);
};
