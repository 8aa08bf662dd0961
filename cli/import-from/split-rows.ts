import { type Chunks, chunksOf, cutOff, makeCollector, type Piece } from './collect-record-bytes.ts';

const LINE_END = 0x0a;
const QUOTE = 0x22;

/**
 * Splits a file into lines, or into the records of CSV (RFC 4180): there a line end between quotation marks belongs to the
 * record, and a quotation that is not closed throws `invalid` (`broken_export`). `longest` is in bytes.
 */
export async function* splitRows(
  chunks: Chunks,
  { isCsv = false, longest }: { readonly isCsv?: boolean; readonly longest?: number } = {},
): AsyncGenerator<Piece> {
  const collector = makeCollector(longest);
  let isInQuotation = false;
  let position = 0;
  let isRestEmpty = true;
  for await (const chunk of chunks) {
    let start = 0;
    const cutAt = (end: number) => {
      collector.add(chunk.subarray(start, end));
      start = end + 1;
    };
    for (let at = 0; at < chunk.length; at += 1) {
      if (!isCsv) {
        // Faster: only line ends matter.
        at = chunk.indexOf(LINE_END, at);
        if (at < 0) break;
      }
      if (isCsv && chunk[at] === QUOTE) isInQuotation = !isInQuotation;
      if (chunk[at] !== LINE_END || isInQuotation) continue;
      cutAt(at);
      yield collector.end();
      collector.begin(position + start);
    }
    isRestEmpty = start === chunk.length;
    collector.add(chunk.subarray(start));
    position += chunk.length;
  }
  if (isInQuotation) throw cutOff();
  if (!isRestEmpty) yield collector.end();
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
