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
import type { Log } from '../../core/ports.ts';
import { failureWord, isConflict, isOutage, isPassing, storeUnavailable, TooLate } from './failures.ts';

/** The database of an installation. */
export interface MongoDatabase {
  /** With security state read from the primary, by a majority, and writes acknowledged by one, journalled. */
  collection<T extends Document>(name: string): Collection<T>;
  /**
   * Makes a call, again while it fails for a passing reason: `work` must be harmless when repeated, and
   * is told its number, from 0, so that it can look for what an attempt before it did whose answer was lost. Throws
   * `unavailable` (`store_unavailable`) within the deadline, that of a request where no other is given, while the server
   * cannot be worked with.
   */
  call<T>(work: (attempt: number) => Promise<T>, deadline?: number): Promise<T>;
  /** Whether it answers and may be written to. */
  isUp(): Promise<boolean>;
  readonly client: MongoClient;
  close(): Promise<void>;
}

/** Milliseconds for a call where nothing else is given: a caller hears within 3.5 s that the store is away. */
const DEADLINE = 2_500;
/** The same for a page of bulk work, which no request waits for. */
export const BULK = 20_000;
/** The same while the store is known to be away: whoever makes several calls hears of it in the same time. */
const BRIEFLY = 150;
/** Attempts that meet a conflict; where a line broke or a primary went, a call is repeated until its deadline. */
const MOST_CONFLICTS = 4;
/** Milliseconds before the first repetition at the most; doubled with each. */
const FIRST_PAUSE = 30;
const LONGEST_PAUSE = 250;
/** Milliseconds between two log lines about failures. */
const QUIET = 60_000;

/**
 * What is read and written needs to be so, whatever the URL says. The database is given it, since to a client the driver
 * gives `journal` and `readConcernLevel` of the URL all the same.
 */
const CONCERNS = {
  readPreference: ReadPreference.primary,
  readConcern: new ReadConcern('majority'),
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 2_000 },
} as const satisfies DbOptions;

/** The same of the connection. */
const OPTIONS = {
  ...CONCERNS,
  appName: 'gatehouse',
  ignoreUndefined: false,
  // `call` repeats, by marks: where a server does not know the driver's own repetition again, that meets its own effect.
  retryWrites: false,
} as const satisfies MongoClientOptions;

/** Milliseconds, and counts, where the URL says nothing else. */
const DEFAULTS = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 1_500,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 1_000,
  maxPoolSize: 20,
  // After a restart of the server it is found within this time.
  heartbeatFrequencyMS: 1_000,
  minHeartbeatFrequencyMS: 100,
  // A call that met a fail-over has the server looked at again at once, rather than when the server says something.
  serverMonitoringMode: 'poll',
} as const satisfies MongoClientOptions;

/** The driver takes what is given beside the URL over what is in it. */
const optionsFor = (url: string): MongoClientOptions => {
  const given = new Set(
    [...new URL(url.replace(/^mongodb(\+srv)?:\/\/[^/]*/, 'http://host')).searchParams.keys()].map((name) =>
      name.toLowerCase(),
    ),
  );
  const defaults = Object.entries(DEFAULTS).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(defaults), ...OPTIONS };
};

/** The database that a URL without one names. */
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
 * Connects to the server that the URL names. Throws the driver's error when it cannot be reached or refuses: only the
 * caller knows how to say which setting is wrong.
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
    // Reads, since a server that asks for a user lets anybody ping.
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

  /** An answer in time, whatever it is, says that the store is there; also one that its caller did not wait for. */
  const noteAnswer = (began: number) => {
    if (performance.now() - began > deadline) return;
    answeredAt = performance.now();
    isAway = false;
  };

  const attempts = async <T>(
    work: (attempt: number) => Promise<T>,
    began: number,
    until: number,
  ): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await work(attempt);
        noteAnswer(began);
        return answer;
      } catch (error) {
        if (!isOutage(error) || isConflict(error)) noteAnswer(began);
        if (!isPassing(error) || (isConflict(error) && attempt + 1 >= MOST_CONFLICTS)) throw error;
        const wait = Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE) * Math.random();
        if (performance.now() + wait > until) throw error;
        await pause(wait);
      }
    }
  };

  const call = async <T>(work: (attempt: number) => Promise<T>, within = deadline): Promise<T> => {
    const began = performance.now();
    const allowed = isAway ? BRIEFLY : Math.max(within, deadline);
    try {
      return await inTime(allowed, attempts(work, began, began + allowed));
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (answeredAt < began) isAway = true;
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
