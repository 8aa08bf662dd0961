import { once } from 'node:events';
import type { Column, makeTable } from './column-widths.ts';
import { cell, printable, safeJson } from './safe-text.ts';

type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;

/** Writes results to standard output. Messages for people go to standard error. */
export interface Output {
  /** One record: as a table of names and values, or as one JSON document. */
  record(record: object): void;
  /** The outcome: a sentence, or one JSON document. */
  done(message: string, record: object): void;
  /** A list, written while its rows arrive: as a table, or as one JSON document per line. */
  list<Row>(rows: Rows<Row>, columns: readonly Column<Row>[]): Promise<void>;
}

/** The number of rows that decide the column widths. */
const FIRST_ROWS = 100;

/** Prints a message for people. */
export const say = (message: string): void => {
  process.stderr.write(`${printable(message, { keepsLineEnds: true })}\n`);
};

/** Writes a line, and waits if the reader is slower. */
const writeLine = async (text: string): Promise<void> => {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
};

const writeJson = (record: object): void => {
  process.stdout.write(`${safeJson(record)}\n`);
};

const textOf = (value: unknown): string =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? cell(value.length === 0 ? null : value.join(', '))
    : cell(value);

const writeRows = async <Row>(rows: Rows<Row>): Promise<void> => {
  for await (const row of rows) await writeLine(safeJson(row));
};

const writeTable = async <Row>(rows: Rows<Row>, columns: readonly Column<Row>[]): Promise<void> => {
  const firstRows: Row[] = [];
  let table: ReturnType<typeof makeTable<Row>> | undefined;
  const writeFirstRows = async () => {
    // Loaded with the first table: the library for the widths of characters slows down the start of a command.
    const { makeTable } = await import('./column-widths.ts');
    // A terminal that does not know its width, such as a serial console, has 0 columns.
    const room = process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
    table = makeTable(columns, firstRows, room);
    await writeLine(table.head);
    for (const row of firstRows) await writeLine(table.row(row));
  };
  for await (const row of rows) {
    if (table !== undefined) {
      await writeLine(table.row(row));
    } else if (firstRows.push(row) === FIRST_ROWS) {
      await writeFirstRows();
    }
  }
  if (table === undefined) await writeFirstRows();
};

/** Output for people, its tables folded to the width of the terminal, if there is one; JSON with `--json`. */
export const makeOutput = (json: boolean | undefined): Output => ({
  record: (record) => {
    if (json) return writeJson(record);
    const width = Math.max(0, ...Object.keys(record).map((name) => name.length));
    for (const [name, value] of Object.entries(record)) {
      process.stdout.write(`${name.padEnd(width)}  ${textOf(value)}\n`);
    }
  },
  done: (message, record) => {
    if (json) writeJson(record);
    else say(message);
  },
  list: (rows, columns) => (json ? writeRows(rows) : writeTable(rows, columns)),
});
