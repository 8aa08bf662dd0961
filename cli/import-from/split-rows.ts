import { type Chunks, chunksOf, cutOff, makeCollector, type Piece } from './collect-record-bytes.ts';

const LINE_END = 0x0a;
const QUOTE = 0x22;

/** A line or a record of CSV. */
export interface Row extends Piece {
  /** False for the last row of a file that does not end with a line end. */
  readonly hasLineEnd: boolean;
}

/**
 * Splits a file into lines, or into the records of CSV (RFC 4180). In CSV, a line end between quotation marks belongs to the
 * record, and a quotation that is not closed throws `invalid` (`broken_export`). `longest` is in bytes.
 */
export async function* splitRows(
  chunks: Chunks,
  { isCsv = false, longest }: { readonly isCsv?: boolean; readonly longest?: number } = {},
): AsyncGenerator<Row> {
  const collector = makeCollector(longest);
  let isInQuotation = false;
  let position = 0;
  let isRestEmpty = true;

  /** The index of the next line end that ends a record; negative if the chunk has none. */
  const findEnd = (chunk: Buffer, from: number): number => {
    if (!isCsv) return chunk.indexOf(LINE_END, from);
    for (let at = from; at < chunk.length; at += 1) {
      if (chunk[at] === QUOTE) isInQuotation = !isInQuotation;
      if (chunk[at] === LINE_END && !isInQuotation) return at;
    }
    return -1;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = findEnd(chunk, start); end >= 0; end = findEnd(chunk, start)) {
      collector.add(chunk.subarray(start, end));
      yield { ...collector.end(), hasLineEnd: true };
      start = end + 1;
      collector.begin(position + start);
    }
    isRestEmpty = start === chunk.length;
    collector.add(chunk.subarray(start));
    position += chunk.length;
  }
  if (isInQuotation) throw cutOff();
  if (!isRestEmpty) yield { ...collector.end(), hasLineEnd: false };
}

/** Longer than any valid line of our own format. */
const MOST_LINE_BYTES = 65_536;

/**
 * Reads a file of our own format line by line. Yields undefined for a line that is too long or not UTF-8. `onBytes` gets the
 * number of bytes read.
 */
export async function* readLines(
  file: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string | undefined> {
  for await (const { text } of splitRows(chunksOf(file, onBytes), { longest: MOST_LINE_BYTES })) yield text;
}
