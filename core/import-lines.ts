import { CoreError, invalid } from './errors.ts';

export interface ImportCounts {
  readonly added: number;
  /** What they describe is there already. */
  readonly skipped: number;
  readonly bad: number;
}

export interface ImportOptions {
  /** Reads and checks everything, and writes nothing. */
  readonly dryRun: boolean;
  /** Hears of each line that is not imported; numbers begin at 1. */
  readonly onBad: (line: number, problem: string) => void;
  /** Hears how far it is, every few hundred lines. */
  readonly onProgress: (counts: ImportCounts) => void;
}

/** One line of an import; undefined for one that cannot be read as text. */
export type Lines = AsyncIterable<string | undefined>;

/** So many lines are written at once; the store commits them together. */
const AT_ONCE = 256;

/**
 * Imports line by line with `importOne`, which throws `invalid` for a bad line. The memory it takes does not grow with
 * the number of lines; blank ones are passed over.
 */
export const importLines = async (
  lines: Lines,
  { onBad, onProgress }: Pick<ImportOptions, 'onBad' | 'onProgress'>,
  importOne: (line: string) => Promise<'added' | 'skipped'>,
): Promise<ImportCounts> => {
  const counts = { added: 0, skipped: 0, bad: 0 };
  let number = 0;

  const take = async (line: string | undefined): Promise<'added' | 'skipped' | { problem: string }> => {
    if (line === undefined) return { problem: 'The line is too long or not UTF-8.' };
    try {
      return await importOne(line);
    } catch (error) {
      if (error instanceof CoreError && error.kind === 'invalid') return { problem: error.message };
      throw error;
    }
  };

  const takeAll = async (some: readonly (readonly [number: number, line: string | undefined])[]) => {
    const outcomes = await Promise.all(some.map(([, line]) => take(line)));
    for (const [place, outcome] of outcomes.entries()) {
      if (typeof outcome === 'string') {
        counts[outcome] += 1;
      } else {
        counts.bad += 1;
        onBad(some[place]?.[0] ?? 0, outcome.problem);
      }
    }
    onProgress({ ...counts });
  };

  let some: (readonly [number, string | undefined])[] = [];
  for await (const line of lines) {
    number += 1;
    if (line?.trim() === '') continue;
    some.push([number, line]);
    if (some.length < AT_ONCE) continue;
    await takeAll(some);
    some = [];
  }
  await takeAll(some);
  return counts;
};

/** The members of an object that came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a line's object. Throws `invalid` (`invalid_line`). */
export const readFields = (line: string): Fields => {
  try {
    const value: unknown = JSON.parse(line);
    if (isFields(value)) return value;
  } catch {
    // Said below, without what the parser would quote of the line.
  }
  throw invalid('invalid_line', 'The line is not a JSON object.');
};
