import { open } from 'node:fs/promises';
import { hasCode } from '../../files/draft.ts';
import { makeChecker, type Seen } from './checker.ts';
import { type Heading, readLines } from './lines.ts';

/** `FILE.part` is none that this export can go on with, and is left as it is. */
export class ForeignPart extends Error {
  constructor(part: string) {
    super(
      `${part} is no export of this installation and was left as it is: move it away, or name another file.`,
    );
    this.name = 'ForeignPart';
  }
}

/** How a file of ours begins. */
const BEGINNING = '{"product":"gatehouse"';

/** How the file begins; undefined where there is none. */
const beginningOf = async (part: string): Promise<string | undefined> => {
  try {
    const handle = await open(part);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/**
 * What an export before has left in `FILE.part`, for the next to go on behind its last whole line. Where the store was
 * worked on since, or nothing is there, it begins anew: what was read before and after does not belong together. Throws
 * `ForeignPart`, and `BrokenExport` for one that was changed.
 */
export const begunExport = async (part: string, heading: Heading): Promise<Seen> => {
  const beginning = await beginningOf(part);
  const { take, seen } = makeChecker(part);
  if (beginning === undefined) return seen();
  // Its first line may be cut, too.
  if (!BEGINNING.startsWith(beginning)) throw new ForeignPart(part);
  for await (const line of readLines(part)) {
    take(line);
    if (line.number > 1) continue;
    if (seen().heading?.origin !== heading.origin) throw new ForeignPart(part);
    if (seen().heading?.state !== heading.state) return makeChecker(part).seen();
  }
  return seen();
};
