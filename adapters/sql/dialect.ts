/** What SQL databases spell differently: parts of statements, made from expressions. All other SQL is common to the stores. */
export interface Dialect {
  /** A table of the texts in a JSON array: `value` is the text, and `key` grows with the position. */
  each(json: string): string;
  /** A table of the objects in a JSON array, with a column for each of these members. It needs an alias. */
  records(json: string, members: Readonly<Record<string, 'text' | 'bigint'>>): string;
  /** A table of the objects in a JSON array, whose members are these columns of the table. It needs an alias. */
  rows(json: string, table: string, columns: readonly string[]): string;
  /** The JSON object, in which these members get the values of these expressions. */
  withMembers(json: string, members: Readonly<Record<string, string>>): string;
  /** The functions for the greatest and the least of values that are not null. */
  readonly greatest: string;
  readonly least: string;
  /** A column in a condition for which no index shall be used. */
  unindexed(column: string): string;
  /** A statement that makes units of work with the same parameter wait for each other; null where units run one by one. */
  readonly lock: string | null;
  /** The time of the database's clock in epoch milliseconds, rounded down to whole seconds. */
  readonly now: string;
}
