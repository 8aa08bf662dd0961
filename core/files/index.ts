import { checkArguments } from '../arguments.ts';
import type { Files } from './api.ts';
import { fileArguments, fileOperateArguments, ofUser } from './arguments.ts';
import { makeCreateFile } from './create-file.ts';
import { makeDeleteFile, makeDeleteFilesOf, makeSweepRemoved } from './delete-file.ts';
import { makeDeps } from './deps.ts';
import { makeImportFiles } from './import-files.ts';
import { makeCountFilesOf, makeListFiles } from './list-files.ts';
import { makeDeleteFiles, makeInvalidate, makePrefetch, makeSyncCache } from './manage-cache.ts';
import { defaultFilesPolicy, type FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';
import { makeReadFile } from './read-file.ts';
import { makeReseal } from './reseal.ts';
import { makeWrapMany } from './wrap-many.ts';

export type { Files };

/** Creates the file use cases from ports and policy; absent numbers of the policy have their defaults. */
export const createFiles = (ports: FilesPorts, policy: Partial<FilesPolicy> = {}): Files => {
  const deps = makeDeps(ports, { ...defaultFilesPolicy, ...policy });
  const { accesses, cacheReads, dataKeys, entries, files, sealed } = deps;
  const list = makeListFiles(deps);
  const many = makeWrapMany(dataKeys, deps.policy);
  const calls: Files = {
    create: ofUser(makeCreateFile(deps)),
    read: makeReadFile(deps),
    list: list.page,
    listAll: list.all,
    listText: list.pageText,
    listAllText: list.allText,
    delete: makeDeleteFile(deps),
    wrapKey: dataKeys.wrap,
    unwrapKey: dataKeys.unwrap,
    wrapKeys: many.wrap,
    unwrapKeys: many.unwrap,
    syncCache: ofUser(makeSyncCache(deps)),
    prefetch: ofUser(makePrefetch(deps)),
    invalidate: ofUser(makeInvalidate(deps)),
    countOf: makeCountFilesOf(deps),
    deleteAllOf: makeDeleteFilesOf(deps),
    operate: checkArguments(
      {
        importFiles: makeImportFiles(deps),
        totals: () => files.totals(),
        cacheStats: () => entries.stats(),
        clearCache: () => entries.clear(),
        outdateCache: () => entries.outdate(),
        deleteFiles: makeDeleteFiles(deps),
        reseal: makeReseal(deps),
        masterKey: () => deps.kms.current(),
        countByKey: () => sealed.countByKey(),
      },
      fileOperateArguments,
    ),
    background: {
      flushAccesses: accesses.flush,
      flushCacheReads: cacheReads.flush,
      sweepRemoved: makeSweepRemoved(deps),
      cacheReturned: entries.distrust,
      isCacheSteady: entries.isSteady,
    },
  };
  return checkArguments(calls, fileArguments, ['listAll', 'listAllText']);
};
