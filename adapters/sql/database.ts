import type { Dialect } from './dialect.ts';

/** A parameter of a statement, or a value in a row. */
export type Scalar = string | number | null;

export type Row = Readonly<Record<string, Scalar>>;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  /** If true and the statement changes no row, or a query finds none, the whole unit is undone. */
  readonly need?: boolean;
  /**
   * For a statement that makes its own condition false, such as `SET count = 2 WHERE count = 1`. The engine repeats a statement
   * whose answer was lost. If the repetition changes no row, either the first run took effect or the condition never held. To
   * tell which, the engine runs `again`: it finds a row if the first run took effect, and changes nothing.
   */
  readonly again?: Omit<Statement, 'again'>;
}

/** A unit of work: statements that are done together or not at all. SQLite runs units one by one, PostgreSQL side by side. */
export type Unit = readonly Statement[];

export interface Result {
  /** Rows changed; for a query or RETURNING, rows returned. */
  readonly changes: number;
  readonly rows: readonly Row[];
}

/** `unique`: another row has the unique key. `need`: a needed statement changed nothing. */
export type Outcome =
  | { readonly done: true; readonly results: readonly Result[] }
  | { readonly done: false; readonly because: 'need' | 'unique' };

export interface Queries {
  get(sql: string, params: readonly Scalar[]): Promise<Row | undefined>;
  all(sql: string, params: readonly Scalar[]): Promise<readonly Row[]>;
}

/** An SQL database for the stores. Calls throw `TypeError` for values that are no scalars, and `unavailable` while it is down. */
export interface Database {
  readonly dialect: Dialect;
  readonly read: Queries;
  /** Resolves when the unit is durable, or when it changed nothing. */
  write(unit: Unit): Promise<Outcome>;
  /**
   * Only engines that run units side by side have it. It writes the unit that `follow` makes from the row that `query` finds.
   * Calls with the same `turn` wait for each other before the query, those of other processes too, in the order of the calls.
   */
  writeInTurn?(
    turn: string,
    query: Statement,
    follow: (row: Row | undefined) => Promise<Unit>,
  ): Promise<Outcome>;
  /** Like `write`, for the few writes of a start: an engine may do them before its writer has begun. */
  writeAtStart(unit: Unit): Promise<Outcome>;
}

/** How many rows a statement of a unit changed, by default the first statement; 0 if the unit was undone. */
export const changesOf = (outcome: Outcome, index = 0): number =>
  outcome.done ? (outcome.results.at(index)?.changes ?? 0) : 0;

/** Whether a unit changed rows. Results with rows do not count: a query cannot be told from RETURNING. */
export const hasChanged = (outcome: Outcome): boolean =>
  outcome.done && outcome.results.some(({ changes, rows }) => changes > rows.length);

/** The first row that the first statement of a unit returned. */
export const rowOf = (outcome: Outcome): Row | undefined =>
  outcome.done ? outcome.results[0]?.rows[0] : undefined;

const refused = (expected: string) => new TypeError(`A store was given something other than ${expected}.`);

/** Returns text; throws a `TypeError` for anything else, such as `{"$ne": ""}` from an unchecked body. */
export const text = (value: string): string => {
  if (typeof value !== 'string') throw refused('text');
  return value;
};

/** With `u`, a whole surrogate pair is one character, which is no surrogate: only half a pair matches. */
const NOT_PLAIN = /[\0\p{Surrogate}]/u;

/** Returns text for SQLite's JSON functions: they stop at a NUL, and half a surrogate pair makes the driver abort the process. */
export const plainText = (value: string): string => {
  if (NOT_PLAIN.test(text(value))) throw refused('plain text');
  return value;
};

/** Returns a whole number; throws a `TypeError` for anything else. */
export const integer = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

export const textOrNull = (value: string | null): string | null => (value === null ? null : text(value));

export const integerOrNull = (value: number | null): number | null =>
  value === null ? null : integer(value);

/** A boolean as a number: SQLite's driver aborts the process when it binds a boolean. */
export const flag = (value: boolean): number => (value ? 1 : 0);

/** Throws a `TypeError` unless all are scalars. */
export const checkScalars = (values: readonly Scalar[]): void => {
  for (const value of values) {
    if (typeof value !== 'string' && value !== null && !Number.isFinite(value)) throw refused('a scalar');
  }
};
