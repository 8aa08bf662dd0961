import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type BadLine, type Fields, isFields } from '../../core/import-lines.ts';
import {
  brokenExport,
  type Chunks,
  chunksOf,
  MOST_RECORD_BYTES,
  type Piece,
} from './collect-record-bytes.ts';
import type { ByteRange } from './record-index.ts';
import { splitElements } from './split-json.ts';
import { type Row, splitRows } from './split-rows.ts';

/** How a file separates its records. */
export type Form = 'lines' | 'elements' | 'csv';

export interface ExportRecord {
  /** The member of the document that holds the record; empty for lines, rows, and a document that is an array itself. */
  readonly array: string;
  readonly range: ByteRange;
  readonly content: Content;
}

/** Undefined for a blank line. */
type Content = { readonly fields: Fields } | BadLine | undefined;

/** The cells of a record (RFC 4180). Undefined if a quotation mark stands where none may. */
export const readCells = (record: string): readonly string[] | undefined => {
  // A cell, in quotation marks or plain, and the comma or the end behind it.
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;
  const text = record.replace(/\r$/, '');
  const cells: string[] = [];
  for (;;) {
    const match = cell.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') return cells;
  }
};

/** The dashboard of Supabase writes `null` where a row has no value, and other programs write `NULL`. */
const NULL = /^null$/i;

/** The cells by the names of their columns; undefined if the cells are invalid, or are more or fewer than the columns. */
export const fieldsOf = (columns: readonly string[], record: string): Fields | undefined => {
  const cells = readCells(record);
  if (cells?.length !== columns.length) return undefined;
  return Object.fromEntries(columns.map((name, index) => [name, cells[index]?.replace(NULL, '')]));
};

const parseObject = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const readPiece = ({ text }: Piece, read: (text: string) => Fields | undefined, problem: string): Content => {
  if (text === undefined) return { problem: 'It is longer than 1 MiB or not UTF-8.' };
  if (text.trim() === '') return undefined;
  const fields = read(text);
  return fields === undefined ? { problem } : { fields };
};

const jsonOf = (piece: Piece): Content => readPiece(piece, parseObject, 'It is not a JSON object.');

const brokenLastLine = () =>
  brokenExport(
    'The last line cannot be read and has no line end: the file was cut off. If it is complete, add the line end.',
  );

/** Throws `invalid` (`broken_export`) for a row that was cut off: it cannot be read and has no line end. */
const recordOf = (row: Row, content: Content): ExportRecord => {
  if (!row.hasLineEnd && content !== undefined && 'problem' in content) throw brokenLastLine();
  return { array: '', range: row, content };
};

async function* csvRecords(chunks: Chunks): AsyncGenerator<ExportRecord> {
  let columns: readonly string[] = [];
  for await (const row of splitRows(chunks, { isCsv: true })) {
    if (columns.length === 0) {
      if (row.text?.trim() === '') continue;
      const names = row.text === undefined ? undefined : readCells(row.text.trim());
      if (names === undefined)
        throw brokenExport('The first line of the CSV, the names of columns, cannot be read.');
      columns = names;
      continue;
    }
    const read = (text: string) => fieldsOf(columns, text);
    yield recordOf(row, readPiece(row, read, 'It has other columns than the first line.'));
  }
}

/** Reads the records of a file one by one. `arrays` are the members of a document that contain them. */
export async function* readRecords(
  file: string,
  form: Form,
  arrays: readonly string[],
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<ExportRecord> {
  const chunks = chunksOf(file, onBytes);
  if (form === 'csv') {
    yield* csvRecords(chunks);
  } else if (form === 'lines') {
    for await (const row of splitRows(chunks)) yield recordOf(row, jsonOf(row));
  } else {
    for await (const { array, ...piece } of splitElements(chunks, arrays))
      yield { array, range: piece, content: jsonOf(piece) ?? { problem: 'It is empty.' } };
  }
}

/** The beginning of a file, as long as one record may be. */
const beginningOf = async (file: string): Promise<string> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_RECORD_BYTES), 0, MOST_RECORD_BYTES, 0);
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff/, '')
      .trimStart();
  } finally {
    await handle.close();
  }
};

/** Detects the form by the beginning of the file. Throws `invalid` (`broken_export`) for an unknown form. */
export const formOf = async (
  file: string,
  { arrays, takesCsv }: { readonly arrays: readonly string[]; readonly takesCsv: boolean },
): Promise<Form> => {
  const beginning = await beginningOf(file);
  // UTF-16 has a zero in one of its first two bytes, or begins with a mark that is not UTF-8.
  if (/^(?:\ufffd|.?\0)/s.test(beginning))
    throw brokenExport('The file is not UTF-8: convert it first. Programs on Windows often write UTF-16.');
  if (beginning.startsWith('[')) return 'elements';
  if (beginning.startsWith('{')) {
    const [line = ''] = beginning.split('\n', 1);
    const object = parseObject(line);
    // No whole object: the first line of a document of several lines; a bad line if the product exports no documents.
    if (object === undefined) return arrays.length > 0 ? 'elements' : 'lines';
    // A whole object is a document on a single line, or the first record.
    return arrays.some((name) => Array.isArray(object[name])) ? 'elements' : 'lines';
  }
  if (takesCsv && beginning !== '') return 'csv';
  throw brokenExport('The file is empty, or is no export of that product.');
};

/**
 * Opens a file to read single records. The reads are synchronous: there is one for each record of a user, and a call to the
 * thread pool takes many times longer than the read.
 */
export const openByteRanges = (file: string) => {
  const descriptor = openSync(file, 'r');
  return {
    read: ({ offset, length }: ByteRange): Fields | undefined => {
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, offset);
      return parseObject(bytes.toString('utf8'));
    },
    close: () => closeSync(descriptor),
  };
};
