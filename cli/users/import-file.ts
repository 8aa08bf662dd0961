import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCodes } from '../../adapters/exit-codes.ts';
import type { ImportCounts, ImportOptions } from '../../core/index.ts';
import { readLines } from '../terminal/lines.ts';
import { makeOutput, say } from '../terminal/output.ts';
import { makeProgress } from '../terminal/progress.ts';
import type { Common } from '../terminal/values.ts';

export interface ImportFlags extends Common {
  readonly dryRun?: boolean;
}

/**
 * Imports a file of JSON lines and shows progress. Exits with 1 if a line was bad; the good lines are imported anyway.
 */
export const importFile = async <Counts extends ImportCounts>(
  file: string,
  { json, dryRun = false }: ImportFlags,
  importLines: (lines: AsyncIterable<string | undefined>, options: ImportOptions) => Promise<Counts>,
  /** Further messages beside the counts. */
  noteOf: (counts: Counts) => string = () => '',
): Promise<void> => {
  const { size } = await stat(file);
  const progress = makeProgress();
  let read = 0;
  const lines = readLines(file, (bytes) => {
    read += bytes;
  });
  const counts = await importLines(lines, {
    dryRun,
    pause: async (milliseconds) => {
      progress.clear();
      say(`The store cannot be used just now: trying again in ${Math.ceil(milliseconds / 1_000)} s.`);
      await pause(milliseconds);
    },
    onBad: (line, problem) => {
      progress.clear();
      say(`Line ${line}: ${problem}`);
    },
    onProgress: ({ added, skipped }) =>
      progress.show(read / Math.max(1, size), `${added} added, ${skipped} there already`),
  });
  progress.clear();
  const { added, skipped, bad } = counts;
  const verbDone = dryRun ? 'would be added' : 'added';
  makeOutput(json).done(`${added} ${verbDone}, ${skipped} there already, ${bad} bad.${noteOf(counts)}`, {
    dryRun,
    ...counts,
  });
  if (bad > 0) process.exitCode = exitCodes.failed;
};
