import { type Command, Option } from 'commander';
import { invalid } from '../../core/errors.ts';
import type { UserImportCounts } from '../../core/index.ts';
import type { Acting, Desk } from '../desk.ts';
import { actingVerb } from '../terminal/values.ts';
import { type ImportFlags, importFile, type Told } from './import-file.ts';
import { type ExportFlags, openExport } from './import-from/open-export.ts';
import { type Product, products } from './import-from/products.ts';
import { inWords } from './import-from/tally.ts';

interface Import extends ImportFlags, Acting, ExportFlags {
  readonly from?: string;
}

const noteOf = ({ dearer }: UserImportCounts) =>
  dearer === 0
    ? ''
    : ` ${dearer} with a hash dearer than SCRYPT: the time of a login tells of it until the next one.`;

/** An import of our own lines. */
const importOwn = ({ act, by }: Desk, file: string, flags: Import) =>
  importFile(
    file,
    flags,
    (lines, options) => act(({ accounts: { operate } }) => operate.importUsers(lines, options, by(flags))),
    { note: noteOf },
  );

/** An import of another product's export, which is read to its end before the store is opened. */
const importFrom = async ({ act, by }: Desk, product: Product, file: string, flags: Import) => {
  const source = await openExport(file, product, flags);
  const told: Told<UserImportCounts & { readonly leftOut: Readonly<Record<string, number>> }> = {
    note: (counts) => `${noteOf(counts)}${inWords(counts.leftOut)}`,
    record: 'User',
    read: source.lines,
  };
  try {
    await importFile(
      file,
      flags,
      async (lines, options) => {
        const counts = await act(({ accounts: { operate } }) =>
          operate.importUsers(lines, options, by(flags)),
        );
        return { ...counts, leftOut: source.leftOut() };
      },
      told,
    );
  } finally {
    source.close();
  }
};

/** `users import`. */
export const importVerb = (noun: Command, desk: Desk): void => {
  actingVerb(noun, 'import <file>', 'add users from JSON lines; those whose email is there stay as they are')
    .option('--dry-run', 'check everything, write nothing')
    .addOption(
      new Option('--from <product>', 'the file is an export of that product').choices(Object.keys(products)),
    )
    .option('--hash-config <file>', 'the hash configuration of the Firebase project')
    .option('--passwords <file>', 'the password hashes that Auth0 gave')
    .option('--without-passwords', 'users whose password cannot come along come without one')
    .option('--reason <reason>', 'why; audited')
    .action((file: string, flags: Import) => {
      const product = flags.from === undefined ? undefined : products[flags.from];
      if (product !== undefined) return importFrom(desk, product, file, flags);
      if (flags.hashConfig !== undefined || flags.passwords !== undefined || flags.withoutPasswords)
        throw invalid('wrong_usage', '--hash-config, --passwords and --without-passwords need --from.');
      return importOwn(desk, file, flags);
    });
};
