/** A parameter of a statement, or a value in a row. */
export type Scalar = string | number | null;

export type Row = Readonly<Record<string, Scalar>>;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  /** If true and the statement changes no row, or a query finds none, the whole unit is undone. */
  readonly need?: boolean;
}

/** A unit of work: statements that are done together or not at all. Several units share one transaction. */
export type Unit = readonly Statement[];

export interface Result {
  /** Rows changed; for a query or RETURNING, rows returned. */
  readonly changes: number;
  readonly rows: readonly Row[];
}

/** `unique`: a unique key is taken by another row. `need`: a needed statement changed nothing. */
export type Outcome =
  | { readonly done: true; readonly results: readonly Result[] }
  | { readonly done: false; readonly because: 'need' | 'unique' };

/** How many rows a unit of one statement changed; 0 if it was undone. */
export const changesOf = (outcome: Outcome): number =>
  outcome.done ? (outcome.results[0]?.changes ?? 0) : 0;

/** The first row that a unit of one statement returned. */
export const rowOf = (outcome: Outcome): Row | undefined =>
  outcome.done ? outcome.results[0]?.rows[0] : undefined;
