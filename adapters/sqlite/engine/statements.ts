/** What a statement may be given and what a row may hold. */
export type Scalar = string | number | null;

export type Row = Readonly<Record<string, Scalar>>;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  /** When it changes (or, for a query, finds) no row, the whole unit is undone. */
  readonly need?: boolean;
}

/** A unit of work: statements that are done together or not at all. Several units share one transaction. */
export type Unit = readonly Statement[];

export interface Result {
  /** Rows changed; for a query or RETURNING, rows given. */
  readonly changes: number;
  readonly rows: readonly Row[];
}

/** `unique`: a unique key is taken by another row. `need`: a needed statement changed nothing. */
export type Outcome =
  | { readonly done: true; readonly results: readonly Result[] }
  | { readonly done: false; readonly because: 'need' | 'unique' };

/** The rows that a unit of one statement changed: 0 when it was not done. */
export const changesOf = (outcome: Outcome): number =>
  outcome.done ? (outcome.results[0]?.changes ?? 0) : 0;

/** The first row that a unit of one statement gave. */
export const rowOf = (outcome: Outcome): Row | undefined =>
  outcome.done ? outcome.results[0]?.rows[0] : undefined;
