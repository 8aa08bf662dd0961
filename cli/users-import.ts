import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Desk, operator } from './desk.ts';
import { readLines } from './lines.ts';
import { makeOutput, say } from './output.ts';
import { makeProgress } from './progress.ts';
import { type Common, verb } from './values.ts';

interface Import extends Common {
  readonly dryRun?: boolean;
  readonly reason?: string;
}

/** `users import`: exits with 1 when a line was bad; the good ones are in all the same. */
export const importVerb = (noun: Command, { act }: Desk): void => {
  verb(noun, 'import <file>', 'add users from JSON lines; those whose email is there stay as they are')
    .option('--dry-run', 'check everything, write nothing')
    .option('--reason <reason>', 'why; audited')
    .action(async (file: string, { json, dryRun = false, reason }: Import) => {
      const { size } = await stat(file);
      const progress = makeProgress();
      let read = 0;
      const lines = readLines(file, (bytes) => {
        read += bytes;
      });
      const options = {
        dryRun,
        onBad: (line: number, problem: string) => {
          progress.clear();
          say(`Line ${line}: ${problem}`);
        },
        onProgress: ({ added, skipped }: { added: number; skipped: number }) =>
          progress.show(read / Math.max(1, size), `${added} added, ${skipped} there already`),
      };
      const counts = await act(({ operate }) => operate.importUsers(lines, options, operator(reason)));
      progress.clear();
      const { added, skipped, bad } = counts;
      const verbDone = dryRun ? 'would be added' : 'added';
      makeOutput(json).done(`${added} ${verbDone}, ${skipped} there already, ${bad} bad.`, {
        dryRun,
        ...counts,
      });
      if (bad > 0) process.exitCode = 1;
    });
};
