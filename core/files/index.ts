import { checkArguments } from '../arguments.ts';
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

/** The file half of the product: every use case, made from ports and the numbers that rule it. */
export const createFiles = (ports: FilesPorts, policy: Partial<FilesPolicy> = {}) => {
  const kit = makeKit(ports, { ...defaultFilesPolicy, ...policy });
  const { accesses, dataKeys, entries, files, sealed } = kit;
  const list = makeListFiles(kit);
  const many = makeWrapMany(dataKeys, kit.policy);
  const calls = {
    create: ofUser(makeCreateFile(kit)),
    read: makeReadFile(kit),
    list: list.page,
    listAll: list.all,
    /** The two as they are sent: each item is the JSON text of a `ListedFile`. */
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
    /** How many files a user has. */
    countOf: makeCountFilesOf(kit),
    /** Deletes all of a user's records: for a deletion of the account. Gives their number. */
    deleteAllOf: makeDeleteFilesOf(kit),
    operate: checkArguments(
      {
        importFiles: makeImportFiles(kit),
        totals: () => files.totals(),
        cacheStats: () => entries.stats(),
        /** Takes every entry out of the cache; gives their number. Throws `unavailable` while it is down. */
        clearCache: () => entries.clear(),
        /** Makes everything cached so far a miss, whether the cache can be reached or not. */
        outdateCache: () => entries.outdate(),
        reseal: makeReseal(kit),
        /** The id of the master key that seals now. */
        masterKey: () => kit.kms.current(),
        /** Records by the id of their master key; `null` counts those whose wrapping is not ours. */
        countByKey: () => sealed.countByKey(),
      },
      fileOperateArguments,
    ),
    /** What must be done between requests: `flushAccesses` in every process, the other in any. */
    background: {
      flushAccesses: accesses.flush,
      sweepRemoved: makeSweepRemoved(kit),
      /** To be called when a cache is there again that was away. */
      cacheReturned: entries.distrust,
      /** False while some process raises the cache's epoch, since it cannot tell the cache of removals. */
      isCacheSteady: entries.isSteady,
    },
  };
  return checkArguments(calls, fileArguments, ['listAll', 'listAllText']);
};

export type Files = ReturnType<typeof createFiles>;
