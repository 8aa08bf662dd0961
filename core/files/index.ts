import { checkArguments } from '../arguments.ts';
import type { Files } from './api.ts';
import { fileArguments, fileOperateArguments, ofUser } from './arguments.ts';
import { makeInvalidate } from './cache/invalidate.ts';
import { makePrefetch } from './cache/prefetch.ts';
import { makeSyncCache } from './cache/sync-cache.ts';
import { makeCreateFile } from './create-file.ts';
import { makeDeleteFile, makeDeleteFilesOf, makeSweepRemoved } from './delete-file.ts';
import { makeImportFiles } from './import-files.ts';
import { makeKit } from './kit.ts';
import { makeCountFilesOf, makeListFiles } from './list-files.ts';
import { defaultFilesPolicy, type FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';
import { makeReadFile } from './read-file.ts';
import { makeReseal } from './reseal.ts';
import { makeWrapMany } from './wrap-many.ts';

export type { Files };

/** Makes the file half of the product from ports, and from the numbers in `policy` (the defaults where absent). */
export const createFiles = (ports: FilesPorts, policy: Partial<FilesPolicy> = {}): Files => {
  const kit = makeKit(ports, { ...defaultFilesPolicy, ...policy });
  const { accesses, cacheReads, dataKeys, entries, files, sealed } = kit;
  const list = makeListFiles(kit);
  const many = makeWrapMany(dataKeys, kit.policy);
  const calls: Files = {
    create: ofUser(makeCreateFile(kit)),
    read: makeReadFile(kit),
    list: list.page,
    listAll: list.all,
    listText: list.pageText,
    listAllText: list.allText,
    delete: makeDeleteFile(kit),
    wrapKey: dataKeys.wrap,
    unwrapKey: dataKeys.unwrap,
    wrapKeys: many.wrap,
    unwrapKeys: many.unwrap,
    syncCache: ofUser(makeSyncCache(kit)),
    prefetch: ofUser(makePrefetch(kit)),
    invalidate: ofUser(makeInvalidate(kit)),
    countOf: makeCountFilesOf(kit),
    deleteAllOf: makeDeleteFilesOf(kit),
    operate: checkArguments(
      {
        importFiles: makeImportFiles(kit),
        totals: () => files.totals(),
        cacheStats: () => entries.stats(),
        clearCache: () => entries.clear(),
        outdateCache: () => entries.outdate(),
        reseal: makeReseal(kit),
        masterKey: () => kit.kms.current(),
        countByKey: () => sealed.countByKey(),
      },
      fileOperateArguments,
    ),
    background: {
      flushAccesses: accesses.flush,
      flushCacheReads: cacheReads.flush,
      sweepRemoved: makeSweepRemoved(kit),
      cacheReturned: entries.distrust,
      isCacheSteady: entries.isSteady,
    },
  };
  return checkArguments(calls, fileArguments, ['listAll', 'listAllText']);
};
