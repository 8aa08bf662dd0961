import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCodes } from '../adapters/exit-codes.ts';
import type { Lines } from '../core/import-lines.ts';
import type { ImportCounts, ImportOptions } from '../core/index.ts';
import { readLines } from './import-from/split-rows.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { makeProgress } from './terminal/progress.ts';
import type { CommonOptions } from './terminal/verbs-and-options.ts';

export interface ImportFlags extends CommonOptions {
  readonly dryRun?: boolean;
}

/** How a file is read and reported. */
interface ImportReading<Counts> {
  /** Further sentences, each with a space before it, to follow the sentence of the counts. */
  readonly note?: (counts: Counts) => string;
  /** The name of a numbered record; `Line` by default. */
  readonly record?: string;
  /** Reads the file and reports its bytes; line by line by default. */
  readonly read?: (onBytes: (bytes: number) => void) => Lines;
}

/** Imports the records of a file, and shows progress. Exits with 1 if a record was bad; the good ones are imported anyway. */
export const importJsonLines = async <Counts extends ImportCounts>(
  file: string,
  { json, dryRun = false }: ImportFlags,
  importLines: (lines: Lines, options: ImportOptions) => Promise<Counts>,
  reading: ImportReading<Counts> = {},
): Promise<void> => {
  const { note = () => '', record = 'Line', read = (onBytes) => readLines(file, onBytes) } = reading;
  const { size } = await stat(file);
  const progress = makeProgress();
  let bytesRead = 0;
  const lines = read((bytes) => {
    bytesRead += bytes;
  });
  const importing = importLines(lines, {
    dryRun,
    pause: async (milliseconds) => {
      progress.clear();
      say(`The store is unavailable: next attempt in ${Math.ceil(milliseconds / 1_000)} s.`);
      await pause(milliseconds);
    },
    onBad: (line, problem) => {
      progress.clear();
      say(`${record} ${line}: ${problem}`);
    },
    onProgress: ({ added, skipped }) =>
      progress.show(bytesRead / Math.max(1, size), `${added} added, ${skipped} existed already`),
  });
  const counts = await importing.finally(progress.clear);
  const { added, skipped, bad } = counts;
  const outcome = dryRun ? 'would be added' : 'added';
  makeOutput(json).done(`${added} ${outcome}, ${skipped} existed already, ${bad} bad.${note(counts)}`, {
    dryRun,
    ...counts,
  });
  if (bad > 0) process.exitCode = exitCodes.failed;
};
