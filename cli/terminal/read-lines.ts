import { createReadStream } from 'node:fs';

const LINE_END = 0x0a;

/** Longer than any valid line. It keeps a file without line ends from filling the memory. */
const LONGEST = 65_536;

const decode = (bytes: Buffer): string | undefined => {
  if (bytes.length > LONGEST) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Reads a file line by line. Yields undefined for a line that is too long or not UTF-8. `onBytes` gets the number of
 * bytes read.
 */
export async function* readLines(
  path: string,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<string | undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      yield decode(Buffer.concat([rest, chunk.subarray(start, end)]));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    // The rest of a line that is too long is dropped.
    if (rest.length <= LONGEST) rest = Buffer.concat([rest, chunk.subarray(start)]);
  }
  if (rest.length > 0) yield decode(rest);
}
