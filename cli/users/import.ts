import type { Command } from 'commander';
import type { UserImportCounts } from '../../core/index.ts';
import type { Acting, Desk } from '../desk.ts';
import { actingVerb } from '../terminal/values.ts';
import { type ImportFlags, importFile } from './import-file.ts';

interface Import extends ImportFlags, Acting {}

const noteOf = ({ dearer }: UserImportCounts) =>
  dearer === 0
    ? ''
    : ` ${dearer} with a hash dearer than SCRYPT: the time of a login tells of it until the next one.`;

/** `users import`. */
export const importVerb = (noun: Command, { act, by }: Desk): void => {
  actingVerb(noun, 'import <file>', 'add users from JSON lines; those whose email is there stay as they are')
    .option('--dry-run', 'check everything, write nothing')
    .option('--reason <reason>', 'why; audited')
    .action((file: string, flags: Import) =>
      importFile(
        file,
        flags,
        (lines, options) =>
          act(({ accounts: { operate } }) => operate.importUsers(lines, options, by(flags))),
        noteOf,
      ),
    );
};
