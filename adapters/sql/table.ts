import {
  changesOf,
  type Database,
  flag,
  integer,
  type Row,
  type Scalar,
  text,
  textOrNull,
} from './database.ts';
import type { Dialect } from './dialect.ts';

/** A table with a record in each row. All its SQL is derived from one list of columns. */
export interface Table<T> {
  readonly name: string;
  /** The names of all columns. */
  readonly columns: string;
  readonly insert: string;
  /** Inserts the rows if the condition holds. The statement's first parameter is `json` of the records. */
  insertAll(dialect: Dialect, condition?: string): string;
  json(records: readonly T[]): string;
  /** Inserts a row, or replaces the row that has the same values in these columns. */
  upsert(key: string): string;
  /** Inserts a row if the condition holds; `param('id')` stands for the value of a column in it. */
  insertIf(condition: (param: (column: string) => string) => string): string;
  /** `id = ?, version = ?, …` */
  readonly assignments: string;
  /** The values of all columns, as parameters of `insert`, `upsert`, `insertIf` and `assignments`. */
  row(record: T): readonly Scalar[];
  /** Builds the record from a row with all columns; in a `documentTable` from its `doc` alone. */
  record(row: Row): T;
}

/** The calls of a store on one table. A query selects the columns that `record` reads. */
export const callsOn = <T>({ read, write }: Database, { record }: Pick<Table<T>, 'record'>) => ({
  find: async (sql: string, params: readonly Scalar[]): Promise<T | undefined> => {
    const row = await read.get(sql, params);
    return row && record(row);
  },
  list: async (sql: string, params: readonly Scalar[]): Promise<readonly T[]> =>
    (await read.all(sql, params)).map(record),
  /** Returns how many rows the statement changed. */
  change: async (sql: string, params: readonly Scalar[]): Promise<number> =>
    changesOf(await write([{ sql, params }])),
  /** Whether the statement changed a row. */
  changeOne: async (sql: string, params: readonly Scalar[]): Promise<boolean> =>
    changesOf(await write([{ sql, params }])) > 0,
});

/** The value of each column, by its name. */
export type Cells<T> = Readonly<Record<string, (record: T) => Scalar>>;

/** A row as JSON. The `doc` column is JSON already. */
const jsonOf = (names: readonly string[], cells: readonly Scalar[]): string => {
  const members = names.map((column, index) => {
    const cell = cells[index];
    return `"${column}":${column === 'doc' ? cell : JSON.stringify(cell)}`;
  });
  return `{${members.join(',')}}`;
};

const tableOf = <T>(
  name: string,
  names: readonly string[],
  { row, record }: Pick<Table<T>, 'row' | 'record'>,
): Table<T> => {
  const columns = names.join(', ');
  const param = (column: string) => `?${names.indexOf(column) + 1}`;
  const values = `INTO ${name} (${columns}) VALUES (${names.map(() => '?').join(', ')})`;
  return {
    name,
    columns,
    insert: `INSERT ${values}`,
    insertAll: ({ rows }, condition = 'true') => `
      INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${rows('?', name, names)} AS added
      WHERE ${condition}`,
    json: (records) => `[${records.map((fields) => jsonOf(names, row(fields))).join(',')}]`,
    upsert: (key) => `
      INSERT ${values} ON CONFLICT (${key}) DO UPDATE SET ${names.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    insertIf: (condition) => `
      INSERT INTO ${name} (${columns}) SELECT ${names.map(param).join(', ')} WHERE ${condition(param)}`,
    assignments: names.map((column) => `${column} = ?`).join(', '),
    row,
    record,
  };
};

/** A table in which each column holds a value that is derived from the record. */
export const cellsTable = <T>(name: string, cells: Cells<T>, record: (row: Row) => T): Table<T> =>
  tableOf(name, Object.keys(cells), {
    row: (fields) => Object.values(cells).map((cell) => cell(fields)),
    record,
  });

/** A table with the record as JSON in `doc`, and facts for queries in further columns. `complete` adds what old records lack. */
export const documentTable = <T, Facts = T, Stored = T>(
  name: string,
  factsOf: (record: T) => Facts,
  cells: Cells<Facts>,
  complete?: (stored: Stored) => T,
): Table<T> =>
  tableOf(name, [...Object.keys(cells), 'doc'], {
    row: (record) => {
      const facts = factsOf(record);
      return [...Object.values(cells).map((cell) => cell(facts)), JSON.stringify(record)];
    },
    record: complete === undefined ? document : (row) => complete(document<Stored>(row)),
  });

/** The record in the `doc` column. It is not validated: only this program writes it. */
export const document = <T>(row: Row): T => JSON.parse(String(row.doc)) as T;

/** A column with one field of a record. */
export interface Column<V> {
  readonly name: string;
  write(value: V): Scalar;
  read(cell: Scalar | undefined): V;
}

/** A table with a column for each field of the record; `fixed` columns have the same value in every row. */
export const fieldsTable = <T extends object>(
  name: string,
  fields: { readonly [Field in keyof T]-?: Column<T[Field]> },
  fixed: Readonly<Record<string, Scalar>> = {},
): Table<T> => {
  const pairs = Object.entries(fields) as [keyof T & string, Column<T[keyof T & string]>][];
  const fixedCells = Object.values(fixed);
  return tableOf(name, [...pairs.map(([, column]) => column.name), ...Object.keys(fixed)], {
    row: (record) => [...pairs.map(([field, column]) => column.write(record[field])), ...fixedCells],
    record: (row) => {
      const record: Partial<T> = {};
      for (const [field, column] of pairs) record[field] = column.read(row[column.name]);
      return record as T;
    },
  });
};

/** Columns. Values that are read are not validated: only this program writes them. */
export const textIn = <V extends string = string>(name: string): Column<V> => ({
  name,
  write: text,
  read: (cell) => String(cell) as V,
});

export const integerIn = (name: string): Column<number> => ({ name, write: integer, read: Number });

export const textOrNullIn = (name: string): Column<string | null> => ({
  name,
  write: textOrNull,
  read: (cell) => (typeof cell === 'string' ? cell : null),
});

export const flagIn = (name: string): Column<boolean> => ({ name, write: flag, read: (cell) => cell === 1 });
