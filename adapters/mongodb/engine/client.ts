import {
  type Collection,
  type DbOptions,
  type Document,
  MongoClient,
  type MongoClientOptions,
  ReadConcern,
  ReadPreference,
} from 'mongodb';
import type { Log } from '../../../core/ports.ts';
import { makeStoreCalls, type StoreCall } from '../../calls/store-calls.ts';
import { failureWord, isAnswer, isConflict, isOutage, isPassing } from './failures.ts';

/** The database of an installation. */
export interface MongoDatabase {
  /** Reads from the primary with read concern `majority`; writes with write concern `majority`, journalled. */
  collection<T extends Document>(name: string): Collection<T>;
  /** Makes a call to the database and repeats it after a passing failure, so the call must be idempotent. */
  readonly call: StoreCall;
  readonly client: MongoClient;
  close(): Promise<void>;
}

/** Set on the database, not on the client, where the URL's `journal` and `readConcernLevel` would still apply. */
const CONCERNS = {
  readPreference: ReadPreference.primary,
  readConcern: new ReadConcern('majority'),
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 2_000 },
} as const satisfies DbOptions;

/** Settings of the connection, whatever the URL says. */
const OPTIONS = {
  appName: 'gatehouse',
  // If true, an undefined condition would be left out of its filter, which would then match every document.
  ignoreUndefined: false,
  // `call` repeats writes by idempotency keys. On some compatible servers the driver's retry would fail if the first attempt
  // took effect.
  retryWrites: false,
} as const satisfies MongoClientOptions;

/** Milliseconds and counts, unless the URL sets them. */
const DEFAULTS = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 1_500,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 1_000,
  maxPoolSize: 20,
  // A restarted server is found within this time.
  heartbeatFrequencyMS: 1_000,
  minHeartbeatFrequencyMS: 100,
  // Polling: after a fail-over the driver checks the server at once, and does not wait for the server to report.
  serverMonitoringMode: 'poll',
} as const satisfies MongoClientOptions;

/** The options to pass beside the URL. They override those in it, so a default is left out if the URL sets the option. */
const optionsFor = (url: string): MongoClientOptions => {
  // One host stands for the list of hosts, which `URL` does not accept.
  const { searchParams } = new URL(url.replace(/^mongodb(\+srv)?:\/\/[^/?]*/, 'http://host'));
  const urlOptions = new Set([...searchParams.keys()].map((name) => name.toLowerCase()));
  const defaults = Object.entries(DEFAULTS).filter(([name]) => !urlOptions.has(name.toLowerCase()));
  return { ...Object.fromEntries(defaults), ...OPTIONS };
};

const databaseIn = (url: string): string => {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]*)/.exec(url)?.[1] ?? '';
  return path === '' ? 'gatehouse' : decodeURIComponent(path);
};

/** Connects to the server. Throws the driver's error: only the caller can name the wrong setting. */
export const openMongo = async ({
  url,
  log,
  deadline,
}: {
  readonly url: string;
  readonly log?: Log;
  /** Milliseconds for a call with all its repetitions. */
  readonly deadline?: number;
}): Promise<MongoDatabase> => {
  const client = new MongoClient(url, optionsFor(url));
  const database = client.db(databaseIn(url), CONCERNS);
  try {
    await client.connect();
    // A read instead of a ping: a server that requires a user lets anybody ping.
    await database.collection('meta').findOne({});
  } catch (error) {
    await client.close();
    throw error;
  }
  const call = makeStoreCalls({ isAnswer, isConflict, isPassing, isOutage, failureWord }, { log, deadline });

  return {
    collection: (name) => database.collection(name),
    call,
    client,
    close: () => client.close(),
  };
};
