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
  /** Waits while the store is away, for so many milliseconds. Without it the import ends then. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** A line that is not to be imported, with the reason. */
export interface BadLine {
  readonly problem: string;
}

/** One line of an import; undefined for one that cannot be read as text. */
export type Line = string | BadLine | undefined;

export type Lines = AsyncIterable<Line>;

type Numbered = readonly [number: number, line: Line];

/** So many lines are written at once; the embedded store commits them together. */
const MOST_AT_ONCE = 256;
/** A store that finds this many too many is not there. */
const LEAST_AT_ONCE = 8;
/** Pauses after which not one line was taken: a minute, as a store has them made. A fail-over takes less. */
const MOST_PAUSES = 12;

const NO_TEXT: BadLine = { problem: 'The line is not text.' };

type Outcome = 'added' | 'skipped' | { readonly problem: string } | { readonly refusal: CoreError };

/**
 * Imports line by line with `importOne`, which throws `invalid` for a bad line. The memory it takes does not grow with
 * the number of lines; blank ones are passed over. Where the store cannot take so many at once, those it refused are
 * tried again, and fewer at once from then on; where it takes none, after a pause.
 */
export const importLines = async (
  lines: Lines,
  { onBad, onProgress, pause }: Pick<ImportOptions, 'onBad' | 'onProgress' | 'pause'>,
  importOne: (line: string, number: number) => Promise<'added' | 'skipped'>,
): Promise<ImportCounts> => {
  const counts = { added: 0, skipped: 0, bad: 0 };
  let number = 0;
  let atOnce = MOST_AT_ONCE;
  let pauses = 0;

  const take = async ([at, line]: Numbered): Promise<Outcome> => {
    if (line === undefined) return { problem: 'The line is too long or not UTF-8.' };
    if (typeof line !== 'string') return isFields(line) && 'problem' in line ? line : NO_TEXT;
    try {
      return await importOne(line, at);
    } catch (error) {
      if (error instanceof CoreError && error.kind === 'invalid') return { problem: error.message };
      if (error instanceof CoreError && error.kind === 'unavailable') return { refusal: error };
      throw error;
    }
  };

  const rest = async (refusal: CoreError): Promise<void> => {
    if (pause === undefined || pauses === MOST_PAUSES) throw refusal;
    pauses += 1;
    await pause((refusal.facts.retryAfter ?? 1) * 1_000);
  };

  const takeAll = async (some: readonly Numbered[]): Promise<void> => {
    const outcomes = await Promise.all(some.map(take));
    const refused: Numbered[] = [];
    let refusal: CoreError | undefined;
    for (const [place, [at, line]] of some.entries()) {
      const outcome = outcomes[place];
      if (outcome === undefined) continue;
      if (typeof outcome === 'string') {
        counts[outcome] += 1;
      } else if ('problem' in outcome) {
        counts.bad += 1;
        onBad(at, outcome.problem);
      } else {
        refusal = outcome.refusal;
        refused.push([at, line]);
      }
    }
    onProgress({ ...counts });
    if (refused.length < some.length) pauses = 0;
    if (refusal === undefined) return;
    if (some.length <= LEAST_AT_ONCE) await rest(refusal);
    atOnce = Math.max(LEAST_AT_ONCE, Math.floor(some.length / 2));
    while (refused.length > 0) await takeAll(refused.splice(0, atOnce));
  };

  let some: Numbered[] = [];
  for await (const line of lines) {
    number += 1;
    if (typeof line === 'string' && line.trim() === '') continue;
    some.push([number, line]);
    if (some.length < atOnce) continue;
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
