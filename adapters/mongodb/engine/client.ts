import { setTimeout as pause } from 'node:timers/promises';
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
import { failureWord, isConflict, isOutage, isPassing, storeUnavailable, TooLate } from './failures.ts';

/** The database of an installation. */
export interface MongoDatabase {
  /** Reads from the primary with read concern `majority`; writes with write concern `majority`, journalled. */
  collection<T extends Document>(name: string): Collection<T>;
  /**
   * Makes a call, and repeats it after a transient failure. `work` must be idempotent. It gets the number of the attempt,
   * from 0, and may look for the effect of an earlier attempt whose answer was lost. Throws `unavailable`
   * (`store_unavailable`) within the deadline (by default that of a request) while the server cannot be used.
   */
  call<T>(work: (attempt: number) => Promise<T>, deadline?: number): Promise<T>;
  /** Whether the server answers and takes writes. */
  isUp(): Promise<boolean>;
  readonly client: MongoClient;
  close(): Promise<void>;
}

/** The default deadline in milliseconds: a caller learns within 3.5 s that the store is down. */
const DEADLINE = 2_500;
/** The deadline for a page of bulk work, for which no request waits. */
export const BULK = 20_000;
/** The deadline while the store is known to be down, so that several calls in a row fail quickly. */
const BRIEFLY = 150;
/** Attempts after conflicts. After a broken connection or a fail-over a call is repeated until its deadline. */
const MOST_CONFLICTS = 4;
/** The longest pause before the first repetition, in milliseconds; it doubles with each. */
const FIRST_PAUSE = 30;
const LONGEST_PAUSE = 250;
/** Milliseconds between two log lines about failures. */
const QUIET = 60_000;

/**
 * Read and write concern, whatever the URL says. They are set on the database: on a client the URL's `journal` and
 * `readConcernLevel` would still apply.
 */
const CONCERNS = {
  readPreference: ReadPreference.primary,
  readConcern: new ReadConcern('majority'),
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 2_000 },
} as const satisfies DbOptions;

/** Settings of the connection, whatever the URL says. */
const OPTIONS = {
  ...CONCERNS,
  appName: 'gatehouse',
  ignoreUndefined: false,
  // `call` repeats writes by idempotency keys. The driver's retry would fail on its own effect on some compatible servers.
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

/** Options that are passed beside the URL override those in it. */
const optionsFor = (url: string): MongoClientOptions => {
  const urlOptions = new Set(
    [...new URL(url.replace(/^mongodb(\+srv)?:\/\/[^/]*/, 'http://host')).searchParams.keys()].map((name) =>
      name.toLowerCase(),
    ),
  );
  const defaults = Object.entries(DEFAULTS).filter(([name]) => !urlOptions.has(name.toLowerCase()));
  return { ...Object.fromEntries(defaults), ...OPTIONS };
};

/** The database for a URL without a database. */
const DEFAULT_NAME = 'gatehouse';

const nameIn = (url: string): string => {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(url)?.[1] ?? '';
  return path === '' ? DEFAULT_NAME : decodeURIComponent(path);
};

const inTime = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Connects to the server that the URL names. Throws the driver's error if the server cannot be reached or rejects the
 * connection: only the caller can name the wrong setting.
 */
export const openMongo = async ({
  url,
  log,
  deadline = DEADLINE,
}: {
  readonly url: string;
  readonly log?: Log;
  /** Milliseconds for a call with all its repetitions. */
  readonly deadline?: number;
}): Promise<MongoDatabase> => {
  const client = new MongoClient(url, optionsFor(url));
  const database = client.db(nameIn(url), CONCERNS);
  try {
    await client.connect();
    // A read instead of a ping: a server that requires a user lets anybody ping.
    await database.collection('meta').findOne({});
  } catch (error) {
    await client.close();
    throw error;
  }
  let quietUntil = 0;

  const report = (error: unknown) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET;
    log?.warn('store.failed', { reason: failureWord(error) });
  };

  let answeredAt = performance.now();
  let isAway = false;

  /** Any answer in time shows that the store is up, even if its caller no longer waits. */
  const noteAnswer = (startedAt: number) => {
    if (performance.now() - startedAt > deadline) return;
    answeredAt = performance.now();
    isAway = false;
  };

  const runAttempts = async <T>(
    work: (attempt: number) => Promise<T>,
    startedAt: number,
    until: number,
  ): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await work(attempt);
        noteAnswer(startedAt);
        return answer;
      } catch (error) {
        if (!isOutage(error) || isConflict(error)) noteAnswer(startedAt);
        if (!isPassing(error) || (isConflict(error) && attempt + 1 >= MOST_CONFLICTS)) throw error;
        const wait = Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE) * Math.random();
        if (performance.now() + wait > until) throw error;
        await pause(wait);
      }
    }
  };

  const call = async <T>(work: (attempt: number) => Promise<T>, within = deadline): Promise<T> => {
    const startedAt = performance.now();
    const allowed = isAway ? BRIEFLY : Math.max(within, deadline);
    try {
      return await inTime(allowed, runAttempts(work, startedAt, startedAt + allowed));
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (answeredAt < startedAt) isAway = true;
      report(error);
      throw storeUnavailable();
    }
  };

  return {
    collection: (name) => database.collection(name),
    call,
    isUp: () =>
      call(() => database.command({ hello: 1 })).then(
        ({ isWritablePrimary }) => isWritablePrimary !== false,
        () => false,
      ),
    client,
    close: () => client.close(),
  };
};
