import { CoreError, invalid } from './errors.ts';
import { CALL, FLAG, object, optional } from './schema.ts';

export interface ImportCounts {
  readonly added: number;
  /** Lines whose record exists already. */
  readonly skipped: number;
  readonly bad: number;
}

/** The schemas of `ImportOptions`. */
export const IMPORT_OPTIONS = { dryRun: FLAG, onBad: CALL, onProgress: CALL, pause: optional(CALL) };
export const importOptions = object(IMPORT_OPTIONS);

export interface ImportOptions {
  /** Reads and checks everything, and writes nothing. */
  readonly dryRun: boolean;
  /** Receives each bad line; numbers begin at 1. */
  readonly onBad: (line: number, problem: string) => void;
  /** Receives the counts after each batch of at most 256 lines. */
  readonly onProgress: (counts: ImportCounts) => void;
  /** Waits while the store is unavailable. Without it, the import ends then. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** A line that must not be imported, with the reason. */
export interface BadLine {
  readonly problem: string;
}

/** One line of an import; undefined if it is too long or not UTF-8. */
export type Line = string | BadLine | undefined;

export type Lines = AsyncIterable<Line>;

type Numbered = readonly [number: number, line: Line];

/** The most lines in a batch; the embedded store commits them together. */
const MAX_PARALLEL = 256;
/** Batches are not made smaller than this. A store that refuses all of so few lines is down. */
const MIN_PARALLEL = 8;
/** The most pauses in a row between which the store takes no line: a minute for a remote store. A fail-over takes less. */
const MOST_PAUSES = 12;

const NO_TEXT: BadLine = { problem: 'The line is not text.' };

type Outcome = 'added' | 'skipped' | { readonly problem: string } | { readonly refusal: CoreError };

type Outcomes = readonly (readonly [numbered: Numbered, outcome: Outcome])[];

interface Batch {
  /** The number of outages before the batch was begun. */
  readonly outagesBefore: number;
  readonly outcomes: Promise<Outcomes>;
}

/**
 * Imports line by line with `addLine`, which throws `invalid` for a bad line. The memory does not grow with the number of
 * lines; blank lines are skipped. If the store refuses lines of a batch, it gets them again in smaller batches. All batches
 * after them stay small, since the store takes its whole time-out to refuse a large one. If the store refuses every line of even
 * the smallest batch, the size was not the reason: after a pause batches grow again.
 */
export const importLines = async (
  lines: Lines,
  { onBad, onProgress, pause }: Pick<ImportOptions, 'onBad' | 'onProgress' | 'pause'>,
  addLine: (line: string, number: number) => Promise<'added' | 'skipped'>,
): Promise<ImportCounts> => {
  const counts = { added: 0, skipped: 0, bad: 0 };
  let number = 0;
  let parallel = MAX_PARALLEL;
  /** Batches grow to this size: one that was too large lowers it, an outage resets it. */
  let ceiling = MAX_PARALLEL;
  let outages = 0;
  let pauses = 0;

  const outcomeOf = async ([at, line]: Numbered): Promise<Outcome> => {
    if (line === undefined) return { problem: 'The line is too long or not UTF-8.' };
    // An app that calls this may pass values of other types than its lines should have.
    if (typeof line !== 'string') return isFields(line) && 'problem' in line ? line : NO_TEXT;
    try {
      return await addLine(line, at);
    } catch (error) {
      if (error instanceof CoreError && error.kind === 'invalid') return { problem: error.message };
      if (error instanceof CoreError && error.kind === 'unavailable') return { refusal: error };
      throw error;
    }
  };

  /** Starts a batch without awaiting it: the next batch is read while the store still writes this one. */
  const beginBatch = (lines: readonly Numbered[]): Batch => {
    const outcomes = Promise.all(lines.map(async (line) => [line, await outcomeOf(line)] as const));
    // Avoids an unhandled rejection; `finishBatch` awaits the promise.
    outcomes.catch(() => undefined);
    return { outagesBefore: outages, outcomes };
  };

  const waitForStore = async (refusal: CoreError): Promise<void> => {
    if (pause === undefined || pauses === MOST_PAUSES) throw refusal;
    pauses += 1;
    await pause((refusal.facts.retryAfter ?? 1) * 1_000);
  };

  /** Counts and reports the outcomes. Returns the lines that the store refused, with its last refusal. */
  const countOutcomes = (outcomes: Outcomes) => {
    const refused: Numbered[] = [];
    let refusal: CoreError | undefined;
    for (const [numbered, outcome] of outcomes) {
      if (typeof outcome === 'string') {
        counts[outcome] += 1;
      } else if ('problem' in outcome) {
        counts.bad += 1;
        const [at] = numbered;
        onBad(at, outcome.problem);
      } else {
        refusal = outcome.refusal;
        refused.push(numbered);
      }
    }
    onProgress({ ...counts });
    return { refused, refusal };
  };

  /** Counts the outcomes of a batch, adapts the size of later batches, and tries the refused lines again. */
  const finishBatch = async ({ outagesBefore, outcomes }: Batch): Promise<void> => {
    const results = await outcomes;
    const { refused, refusal } = countOutcomes(results);
    if (refused.length < results.length) pauses = 0;
    if (refusal === undefined) {
      // A batch with fewer lines than the present size does not show that the store takes more.
      if (results.length >= parallel) parallel = Math.min(2 * parallel, ceiling);
      return;
    }
    const isSmallest = results.length <= MIN_PARALLEL;
    const isOutage = isSmallest && refused.length === results.length;
    // A smallest batch cannot be made smaller: the store gets time, even if it took some of the lines.
    if (isSmallest) await waitForStore(refusal);
    parallel = Math.max(MIN_PARALLEL, Math.floor(results.length / 2));
    if (isOutage) {
      outages += 1;
      ceiling = MAX_PARALLEL;
    } else if (!isSmallest && outagesBefore === outages) {
      // There was no outage since the batch was begun: it was too large.
      ceiling = parallel;
    }
    while (refused.length > 0) await finishBatch(beginBatch(refused.splice(0, parallel)));
  };

  let earlier: Batch | undefined;
  let batch: Numbered[] = [];
  for await (const line of lines) {
    number += 1;
    if (typeof line === 'string' && line.trim() === '') continue;
    batch.push([number, line]);
    if (batch.length < parallel) continue;
    const next = beginBatch(batch);
    batch = [];
    if (earlier !== undefined) await finishBatch(earlier);
    earlier = next;
  }
  if (earlier !== undefined) await finishBatch(earlier);
  await finishBatch(beginBatch(batch));
  return counts;
};

/** The members of an object that came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Wraps `read` so that any error except `CoreError` becomes `invalid` (`invalid_line`): no content of a line must end the
 * import of the others.
 */
export const makeLineReader =
  <T>(read: (line: string) => T) =>
  (line: string): T => {
    try {
      return read(line);
    } catch (error) {
      throw error instanceof CoreError ? error : invalid('invalid_line', 'The line cannot be read.');
    }
  };

/** The members of a line's object. Throws `invalid` (`invalid_line`). */
export const readFields = (line: string): Fields => {
  try {
    const value: unknown = JSON.parse(line);
    if (isFields(value)) return value;
  } catch {
    // The error below does not quote the line, as the parser's would.
  }
  throw invalid('invalid_line', 'The line is not a JSON object.');
};
