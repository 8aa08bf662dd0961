import { type Program, runProgram, startProgram } from './program.ts';

/** A store's folder, and the settings that choose the store. */
export interface UnopenedStore {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface FillJob extends UnopenedStore {
  readonly users: number;
  /** The number of records of the user with many. */
  readonly heavy: number;
}

export interface FillAnswer {
  readonly seconds: number;
  /** The product's own counts. */
  readonly users: number;
  readonly files: number;
  /** Bytes of each table with its indexes, and of the indexes alone; empty if the store does not report sizes. */
  readonly sizes: readonly { readonly name: string; readonly bytes: number; readonly indexes: number }[];
}

/** Adds users to an empty store by the store's own statements, each with a session, two files and an audit row. */
export const fill = (job: FillJob): Promise<FillAnswer> => runProgram<FillJob, FillAnswer>('scale-fill', job);

export interface ServeJob extends UnopenedStore {
  readonly users: number;
  /** The number of signed-in users. */
  readonly signedIn: number;
}

export interface SignedIn {
  readonly number: number;
  readonly token: string;
  refreshToken: string;
}

export interface ServeAnswer {
  /** The ports of the services. */
  readonly accounts: number;
  readonly metadata: number;
  readonly console: number;
  /** The cookie of an operator at the console. */
  readonly cookie: string;
  readonly signedIn: readonly SignedIn[];
}

/** The resources that a server has used so far. */
export interface Usage {
  /** Microseconds of processor time at the beginning and at the end of this query. */
  readonly cpuAsked: number;
  readonly cpuAnswered: number;
  /** Calls of the store's ports. */
  readonly calls: number;
  /** SQLite: steps of its virtual machine; PostgreSQL: rows read from tables and indexes; null for MongoDB. */
  readonly examined: number | null;
}

/** Background work that the server can do at once. */
export type ServerJob = 'purge' | 'recount' | 'sign in';

export type ServeQuestion =
  | { readonly ask: 'usage' }
  | { readonly ask: 'work'; readonly job: ServerJob }
  | { readonly ask: 'close' };

export interface WorkResult {
  /** The amount of work, such as the number of removed accounts. */
  readonly done: number;
  /** For `sign in`: an access token of the first user. */
  readonly token: string;
}

export interface ScaleServer extends ServeAnswer {
  readonly pid: number;
  usage(): Promise<Usage>;
  work(job: ServerJob): Promise<WorkResult>;
  /** Closes the server, which releases its leases. Further calls have no effect. */
  close(): Promise<void>;
}

/** Starts a server of all services that counts its calls of the store. */
export const serveScale = async (job: ServeJob): Promise<ScaleServer> => {
  const program: Program<ServeAnswer> = await startProgram('scale-server', job);
  let isClosed = false;
  return {
    ...program.answer,
    pid: program.pid,
    usage: () => program.ask<ServeQuestion, Usage>({ ask: 'usage' }),
    work: (job) => program.ask<ServeQuestion, WorkResult>({ ask: 'work', job }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await program.ask<ServeQuestion, object>({ ask: 'close' });
      await program.end();
    },
  };
};

export const PASSWORD = 'correct horse battery';
/** The internal secret of every server and command of this measurement. */
export const INTERNAL_SECRET = 'c2NhbGUgc2NhbGUgc2NhbGUgc2NhbGUgc2NhbGUgc2Nh';

export const emailOf = (number: number): string => `person-${number}@example.com`;

const FIRST_DAY = Date.UTC(2026, 0, 1);
const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
/** Registrations are a second apart, so that ten million are in the past. */
export const createdAt = (number: number): number => FIRST_DAY + number * 1_000;

/** An id in the format of new ids; `kind` distinguishes users, sessions and files. */
const idOf = (number: number, kind: number): string => {
  const time = hexOf(createdAt(number), 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${hexOf(kind, 3)}-${hexOf(number, 12)}`;
};
export const userId = (number: number): string => idOf(number, 0);
export const sessionId = (number: number): string => idOf(number, 1);
export const fileId = (number: number, index: 0 | 1): string => idOf(number, 2 + index);
export const heavyFileId = (number: number): string => idOf(number, 4);
export const HEAVY_USER = 'uploader';
