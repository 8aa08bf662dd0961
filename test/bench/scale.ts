import { type Program, runProgram, startProgram } from './program.ts';

/** A store that has users: its folder, and the settings that choose it. */
export interface UnopenedStore {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface FillJob extends UnopenedStore {
  readonly users: number;
  /** Records of the one user who has many. */
  readonly heavy: number;
}

export interface FillAnswer {
  readonly seconds: number;
  /** As the product counts them. */
  readonly users: number;
  readonly files: number;
  /** Bytes of each table with its indexes, and of the indexes alone; none where the store does not tell. */
  readonly sizes: readonly { readonly name: string; readonly bytes: number; readonly indexes: number }[];
}

/** Makes users in an empty store by the store's own statements, each with a session, two files and a row in the audit log. */
export const fill = (job: FillJob): Promise<FillAnswer> => runProgram<FillJob, FillAnswer>('scale-fill', job);

export interface ServeJob extends UnopenedStore {
  readonly users: number;
  /** Users who are signed in. */
  readonly signedIn: number;
}

export interface SignedIn {
  readonly number: number;
  readonly token: string;
  refreshToken: string;
}

export interface ServeAnswer {
  /** Ports. */
  readonly accounts: number;
  readonly metadata: number;
  readonly console: number;
  /** Of an operator at the console. */
  readonly cookie: string;
  readonly signedIn: readonly SignedIn[];
}

/** What a server has taken so far. */
export interface Taken {
  /** Microseconds of processor time: at the beginning and at the end of this very question. */
  readonly cpuAsked: number;
  readonly cpuAnswered: number;
  /** Calls of the ports of the store. */
  readonly calls: number;
  /** SQLite: steps of its virtual machine; PostgreSQL: rows read from tables and indexes; null where it is not told. */
  readonly examined: number | null;
}

/** Work of the server's own that can be had at once. */
export type ServerJob = 'purge' | 'recount' | 'sign in';

export type ServeQuestion =
  | { readonly ask: 'taken' }
  | { readonly ask: 'work'; readonly job: ServerJob }
  | { readonly ask: 'close' };

export interface Worked {
  /** How much there was to do, such as accounts that were removed. */
  readonly done: number;
  /** For `sign in`: a token of the first of the users. */
  readonly token: string;
}

export interface ScaleServer extends ServeAnswer {
  readonly pid: number;
  taken(): Promise<Taken>;
  work(job: ServerJob): Promise<Worked>;
  /** Ends as a server does, which gives its leases back. Further calls have no effect. */
  close(): Promise<void>;
}

/** Starts a server of all services that counts its calls of the store. */
export const serveScale = async (job: ServeJob): Promise<ScaleServer> => {
  const program: Program<ServeAnswer> = await startProgram('scale-server', job);
  let closed = false;
  return {
    ...program.answer,
    pid: program.pid,
    taken: () => program.ask<ServeQuestion, Taken>({ ask: 'taken' }),
    work: (job) => program.ask<ServeQuestion, Worked>({ ask: 'work', job }),
    close: async () => {
      if (closed) return;
      closed = true;
      await program.ask<ServeQuestion, object>({ ask: 'close' });
      await program.end();
    },
  };
};

export const PASSWORD = 'correct horse battery';
/** Of every server and command of this measurement. */
export const INTERNAL_SECRET = 'c2NhbGUgc2NhbGUgc2NhbGUgc2NhbGUgc2NhbGUgc2Nh';

export const emailOf = (number: number): string => `person-${number}@example.com`;

const FIRST_DAY = Date.UTC(2026, 0, 1);
const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
/** Registrations are a second apart, so that ten million are in the past. */
export const createdAt = (number: number): number => FIRST_DAY + number * 1_000;

/** An id of the form of new ones; `kind` tells users, sessions and files apart. */
const idOf = (number: number, kind: number): string => {
  const time = hexOf(createdAt(number), 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${hexOf(kind, 3)}-${hexOf(number, 12)}`;
};
export const userId = (number: number): string => idOf(number, 0);
export const sessionId = (number: number): string => idOf(number, 1);
export const fileId = (number: number, place: 0 | 1): string => idOf(number, 2 + place);
export const heavyFileId = (number: number): string => idOf(number, 4);
export const HEAVY = 'uploader';
