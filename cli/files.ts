import { Command } from 'commander';
import type { Acting, Desk } from './desk.ts';
import { actingVerb } from './terminal/values.ts';
import { type ImportFlags, importFile } from './users/import-file.ts';

/** `gatehouse files`: file records. */
export const filesCommand = ({ act, by }: Desk): Command => {
  const noun = new Command('files').description('bring file records in');

  actingVerb(
    noun,
    'import <file>',
    'add file records from JSON lines; those whose id is there stay as they are',
  )
    .option('--dry-run', 'check everything, write nothing')
    .action((file: string, flags: ImportFlags & Acting) =>
      importFile(file, flags, (lines, options) =>
        act(async ({ accounts, files }) => {
          const counts = await files.operate.importFiles(lines, options);
          if (!options.dryRun) {
            await accounts.operate.record('files.imported', 'files', { added: counts.added }, by(flags));
          }
          return counts;
        }),
      ),
    );
  return noun;
};
