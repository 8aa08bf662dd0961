import { checkArguments, completePolicy, type RulesOf, requirePorts } from '../check-arguments.ts';
import { withPresentNames } from '../former-port-names.ts';
import { importOptions } from '../import-lines.ts';
import { CALL, COUNT, LINES, LIST, object, optional, TEXT } from '../schema.ts';
import type { Files } from './api.ts';
import { makeCreateFile } from './create-file.ts';
import { unwrapKeyInput, wrapKeyInput } from './data-key.ts';
import { makeDataKeyBatches } from './data-key-batch.ts';
import { makeDeleteFile, makeDeleteFilesOf, makeSweepRemoved } from './delete-file.ts';
import { makeDeps } from './deps.ts';
import { createFileInput } from './file-record.ts';
import { makeImportFiles } from './import-files.ts';
import { makeCountFilesOf, makeListFiles } from './list-files.ts';
import {
  invalidateInput,
  makeDeleteFiles,
  makeInvalidate,
  makePrefetch,
  makeSyncCache,
  prefetchInput,
  syncCacheInput,
} from './manage-cache.ts';
import { defaultFilesPolicy, type FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';
import { makeReadFile } from './read-file.ts';
import { makeReseal } from './reseal.ts';
import { ofUser, userByEitherName } from './user-id-alias.ts';

export type { Files };

const LIST_MEMBERS = { userId: TEXT, cursor: optional(TEXT) };
const ALL = { input: object(LIST_MEMBERS) };
const PAGE = { input: object({ ...LIST_MEMBERS, limit: COUNT }) };
const ITEMS = { items: LIST };

const fileArguments: RulesOf<Files> = {
  create: { input: userByEitherName(createFileInput) },
  read: { id: TEXT },
  list: PAGE,
  listAll: ALL,
  listText: PAGE,
  listAllText: ALL,
  delete: { id: TEXT },
  wrapKey: { input: wrapKeyInput },
  unwrapKey: { input: unwrapKeyInput },
  wrapKeys: ITEMS,
  unwrapKeys: ITEMS,
  syncCache: { input: userByEitherName(syncCacheInput) },
  prefetch: { input: userByEitherName(prefetchInput) },
  invalidate: { input: userByEitherName(invalidateInput) },
  countOf: { userId: TEXT },
  deleteAllOf: { userId: TEXT },
};

const operateArguments = {
  importFiles: { lines: LINES, options: importOptions },
  deleteFiles: { userId: TEXT, begin: optional(CALL) },
  reseal: { onProgress: CALL },
};

/** Creates the file use cases from ports and policy; absent numbers of the policy have their defaults. */
export const createFiles = (ports: FilesPorts, policy: Partial<FilesPolicy> = {}): Files => {
  requirePorts(ports, policy);
  const deps = makeDeps(withPresentNames(ports), completePolicy(defaultFilesPolicy, policy));
  const { accesses, cacheReads, dataKeys, entries, files, sealed } = deps;
  const list = makeListFiles(deps);
  const batches = makeDataKeyBatches(dataKeys, deps.policy);
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
    wrapKeys: batches.wrap,
    unwrapKeys: batches.unwrap,
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
      operateArguments,
    ),
    background: {
      flushAccesses: accesses.flush,
      flushCacheReads: cacheReads.flush,
      sweepRemoved: makeSweepRemoved(deps),
      cacheReturned: async (replaced = false) =>
        replaced ? entries.outdateAfterReplacement() : entries.distrust(),
      isCacheSteady: entries.isSteady,
    },
  };
  // The calls that return no promise throw for a wrong argument.
  return checkArguments(calls, fileArguments, ['listAll', 'listAllText']);
};
