import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeKeyRing, retireKey, rotateKeyRing } from '../../../adapters/kms/key-ring.ts';
import { makeLocalKms } from '../../../adapters/kms/local.ts';
import { makeSqliteCacheEpoch } from '../../../adapters/sqlite/cache-epoch.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { makeSqliteFileActivity } from '../../../adapters/sqlite/file-activity.ts';
import { makeSqliteFileStore } from '../../../adapters/sqlite/file-store.ts';
import { makeSqliteSealedFiles } from '../../../adapters/sqlite/sealed-files.ts';
import type { CreateFile } from '../../../core/files/file-record.ts';
import { createFiles } from '../../../core/files/index.ts';
import type { FilesPolicy } from '../../../core/files/policy.ts';
import type { FileCache, FilesPorts } from '../../../core/files/ports.ts';
import type { Clock } from '../../../core/ports.ts';
import { NOW } from '../../contracts/samples.ts';
import { makeCacheLink, makeMemoryCache } from '../../support/memory-cache.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

/** What processes of one service share, beside the store: time, owners, master keys and the cache. */
export const makeWorld = (openCache: (clock: Clock) => FileCache = makeMemoryCache) => {
  let now = NOW;
  let ring = makeKeyRing(NOW);
  const clock = { now: () => now };
  return {
    clock,
    /** Lets so many milliseconds pass. */
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    owners: new Map<string, 'account' | 'deleted'>(),
    kms: makeLocalKms({ current: () => ring, refresh: async () => undefined }),
    rotate: () => {
      ring = rotateKeyRing(ring, now);
    },
    /** Retires every key but the one that seals. */
    retire: () => {
      for (const { id } of ring.keys.filter((key) => key.id !== ring.current))
        ring = retireKey(ring, id, now);
    },
    cache: openCache(clock),
  };
};

export interface Given {
  readonly folder: string;
  readonly policy?: Partial<FilesPolicy>;
  readonly world?: ReturnType<typeof makeWorld>;
  /** Puts other ports in place of some. */
  readonly change?: (ports: FilesPorts) => Partial<FilesPorts>;
}

/** The file half over the embedded store in a folder, as one process has it. */
export const openFilesCore = ({ folder, policy, world = makeWorld(), change = () => ({}) }: Given) => {
  const database = openDatabase({ folder });
  const link = makeCacheLink(world.cache);
  const log = makeRecordingLog();
  const ours: FilesPorts = {
    clock: world.clock,
    random: makeRandom(),
    log,
    digest: makeDigest([Buffer.alloc(32, 7)]),
    kms: world.kms,
    files: makeSqliteFileStore(database),
    activity: makeSqliteFileActivity(database),
    sealed: makeSqliteSealedFiles(database),
    epoch: makeSqliteCacheEpoch(database),
    cache: link.port,
    owners: { standing: async (user) => world.owners.get(user) ?? 'unknown' },
  };
  const ports: FilesPorts = { ...ours, ...change(ours) };
  return { files: createFiles(ports, policy), ports, world, link, log, close: () => database.close() };
};

export type FilesCore = ReturnType<typeof openFilesCore>;

/** Opens cores that are closed after the test. */
export const useFilesCores = (folder: () => string) => {
  const open: FilesCore[] = [];
  afterEach(async () => {
    for (const core of open.splice(0)) await core.close();
  });
  return (given: Omit<Given, 'folder'> = {}): FilesCore => {
    const core = openFilesCore({ folder: folder(), ...given });
    open.push(core);
    return core;
  };
};

export const upload = (differences: Partial<CreateFile> = {}): CreateFile => ({
  filenameEnc: 'bmFtZQ==',
  size: 1_234,
  user: 'user',
  mimeType: 'image/png',
  dekEnc: 'wrapped elsewhere',
  thumb: true,
  ...differences,
});
