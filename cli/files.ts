import { Command } from 'commander';
import type { CommandContext, OperatorOptions } from './context.ts';
import { type ImportFlags, importJsonLines } from './import-json-lines.ts';
import { actingVerb } from './terminal/verbs-and-options.ts';

/** `gatehouse files`: file records. An import may take minutes, so servers on this machine have the processor first. */
export const filesCommand = ({ withChanges, by, letServersGoFirst }: CommandContext): Command => {
  const noun = new Command('files').description('import file records');

  actingVerb(noun, 'import <file>', 'add file records from JSON lines; existing records stay unchanged')
    .hook('preAction', letServersGoFirst)
    .option('--dry-run', 'check everything, write nothing')
    .action((file: string, flags: ImportFlags & OperatorOptions) =>
      importJsonLines(file, flags, (lines, options) =>
        withChanges(async ({ accounts, files }) => {
          const run = async (recordStart: () => Promise<void>) => {
            if (!options.dryRun) await recordStart();
            const counts = await files.operate.importFiles(lines, options);
            return { answer: counts, after: { added: counts.added } };
          };
          const work = { name: 'files.import', done: 'files.imported', target: 'files', run };
          return accounts.operate.recordWork(work, by(flags));
        }),
      ),
    );
  return noun;
};
