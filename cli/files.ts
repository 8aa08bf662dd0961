import { Command } from 'commander';
import { type CommandContext, changeAndRecord, type OperatorOptions } from './context.ts';
import { type ImportFlags, importJsonLines } from './import-json-lines.ts';
import { actingVerb } from './terminal/verbs-and-options.ts';

const WORK = { name: 'files.import', done: 'files.imported', target: 'files' };

/** `gatehouse files`: file records. */
export const filesCommand = (context: CommandContext): Command => {
  const noun = new Command('files').description('import file records');

  actingVerb(noun, 'import <file>', 'add file records from JSON lines; existing records stay unchanged')
    .hook('preAction', context.lowerPriority)
    .option('--dry-run', 'check everything, write nothing')
    .action((file: string, flags: ImportFlags & OperatorOptions) =>
      importJsonLines(file, flags, (lines, options) =>
        changeAndRecord(context, flags, WORK, async ({ files }, recordStart) => {
          if (!options.dryRun) await recordStart();
          const counts = await files.operate.importFiles(lines, options);
          return { answer: counts, after: { added: counts.added } };
        }),
      ),
    );
  return noun;
};
