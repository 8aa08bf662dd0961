import { accountFacts } from '../../core/accounts/account-facts.ts';
import { pagesOf } from '../../core/pagination.ts';
import type { Log } from '../../core/ports.ts';
import { remoteStoreUnavailable } from '../calls/store-calls.ts';
import { ConfigError } from '../config/config-error.ts';
import { ACCOUNTS, type AccountDocument, accountOf } from './documents/account-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { isRefused } from './engine/failures.ts';
import { changeOnce } from './engine/idempotent-writes.ts';
import { type Indexes, makeIndexes, missingIndexes } from './engine/indexes.ts';
import { equals, is } from './engine/scalars.ts';

/** The version of the layout that this program writes. It also reads older documents, which an upgrade leaves as they are. */
export const NEWEST = 1;

interface Layout {
  readonly _id: 'schema';
  readonly version: number;
}

/** The version of the layout in a database; 0 for an unused database. */
export const layoutOf = async ({ call, collection }: MongoDatabase): Promise<number> => {
  const layouts = collection<Layout>('meta');
  const document = await call(() => layouts.findOne({ _id: { $eq: 'schema' } }));
  return document?.version ?? 0;
};

/**
 * Runs work that writes. If the database user may not write, the error names the setting. Use it inside `call`, not around it:
 * `call` turns a missing right into `unavailable`.
 */
const asWriter = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new ConfigError(['MONGODB_URL: the user may not write to the database, it needs readWrite on it']);
  }
};

/** May run beside servers of the previous version. The version is written last, so that an interrupted upgrade is repeated. */
export const upgradeLayout = async (database: MongoDatabase, indexes: Indexes): Promise<void> => {
  await asWriter(() => makeIndexes(database, indexes));
  const layouts = database.collection<Layout>('meta');
  const raise = () =>
    layouts.updateOne({ _id: { $eq: 'schema' } }, { $max: { version: NEWEST } }, { upsert: true });
  await database.call(() => asWriter(raise));
};

/** Writes without effect, since no version is below 0. Throws `ConfigError` if the database user may not write. */
export const probeWrite = async ({ call, collection }: MongoDatabase): Promise<void> => {
  const layouts = collection<Layout>('meta');
  const probe = () => layouts.updateOne({ _id: { $eq: 'schema' } }, { $max: { version: 0 } });
  await call(() => asWriter(probe));
};

/** Why the database cannot be used, as text for the person who starts the program; undefined if it can. */
export const describeMissing = async (
  database: MongoDatabase,
  indexes: Indexes,
): Promise<string | undefined> => {
  const version = await layoutOf(database);
  if (version < NEWEST) return `its layout is of version ${version}, and this program works with ${NEWEST}`;
  const missing = await missingIndexes(database, indexes);
  return missing.length === 0 ? undefined : `it lacks the indexes ${missing.join(', ')}`;
};

interface WatchedDatabase extends MongoDatabase {
  /** Whether the server answers and takes writes. */
  isUp(): Promise<boolean>;
}

const CHECK_INTERVAL_MS = 2_000;

/**
 * Throws `unavailable` from every call while the database lacks its layout. If it was dropped or emptied under a running server,
 * a write would recreate it without accounts and indexes. `close` ends the checks, not the connection. See decision 0044.
 */
export const watchLayout = (
  database: MongoDatabase,
  indexes: Indexes,
  { log, every = CHECK_INTERVAL_MS }: { readonly log: Log; readonly every?: number },
): WatchedDatabase => {
  let isThere = true;

  const check = async (): Promise<void> => {
    if (isThere) {
      isThere = (await layoutOf(database)) > 0;
      if (!isThere) log.error('store.emptied', { reason: 'the database was dropped or emptied' });
    } else if ((await describeMissing(database, indexes)) === undefined) {
      isThere = true;
      log.warn('store.restored');
    }
  };

  let isWatching = true;
  let timer: NodeJS.Timeout | undefined;
  const checkAgain = async () => {
    // A failed check says nothing about the layout: `isThere` stays.
    await check().catch(() => undefined);
    if (isWatching) checkLater();
  };
  const checkLater = () => {
    timer = setTimeout(() => void checkAgain(), every).unref();
  };
  checkLater();

  return {
    ...database,
    call: async (work, deadline) => {
      if (isThere) return database.call(work, deadline);
      throw remoteStoreUnavailable();
    },
    // Only a write shows that a majority confirms writes: a primary that lost its majority still answers reads as the primary.
    isUp: async () =>
      isThere &&
      probeWrite(database).then(
        () => true,
        () => false,
      ),
    close: async () => {
      isWatching = false;
      clearTimeout(timer);
    },
  };
};

const PAGE = 500;

/** Sets `isOperator` on operators' accounts of an earlier version. A parallel write of an account sets the field itself. */
export const noteOperators = async (database: MongoDatabase): Promise<void> => {
  const accounts = database.collection<AccountDocument>(ACCOUNTS);
  const pages = pagesOf<AccountDocument>(PAGE, (after, limit) =>
    database.call(() =>
      accounts.find({ _id: { $gt: after?._id ?? '' } }, { sort: { _id: 1 }, limit }).toArray(),
    ),
  );
  for await (const page of pages) {
    for (const document of page) {
      const account = accountOf(document);
      if (account === undefined || document.isOperator || !accountFacts(account).isOperator) continue;
      const current = { _id: is(account.id), 'account.version': equals(account.version) } as const;
      await changeOnce(database, accounts, current, { $set: { isOperator: true } });
    }
  }
};
