import { type Command, Option } from 'commander';
import { invalid } from '../core/errors.ts';
import type { UserImportCounts } from '../core/index.ts';
import type { CommandContext, OperatorOptions } from './context.ts';
import { makeLostFields, noteOfLostFields } from './import-from/lost-fields.ts';
import { type ExportFlags, openExport } from './import-from/open-export.ts';
import { products, type SourceProduct } from './import-from/products.ts';
import { type ImportFlags, importJsonLines } from './import-json-lines.ts';
import { actingVerb, REASON } from './terminal/verbs-and-options.ts';

interface ImportCommandOptions extends ImportFlags, OperatorOptions, ExportFlags {
  readonly from?: string;
}

/** `leftOut`: users by the name of the field that was not imported. */
const noteOf = ({
  dearer,
  leftOut,
}: UserImportCounts & { readonly leftOut: Readonly<Record<string, number>> }) =>
  (dearer === 0
    ? ''
    : ` ${dearer} with a hash costlier than SCRYPT: until they sign in, slower answers reveal their accounts.`) +
  noteOfLostFields(leftOut);

const importOwnFormat = ({ withChanges, by }: CommandContext, file: string, flags: ImportCommandOptions) => {
  const lostFields = makeLostFields();
  return importJsonLines(
    file,
    flags,
    async (lines, options) => {
      const counts = await withChanges(({ accounts: { operate } }) =>
        operate.importUsers(lines, { ...options, onUnknownFields: lostFields.add }, by(flags)),
      );
      return { ...counts, leftOut: lostFields.read() };
    },
    { note: noteOf },
  );
};

/** Imports another product's export, which is read to its end before the store is opened. */
const importFrom = async (
  { withChanges, by }: CommandContext,
  product: SourceProduct,
  file: string,
  flags: ImportCommandOptions,
) => {
  const source = await openExport(file, product, flags);
  try {
    await importJsonLines(
      file,
      flags,
      async (lines, options) => {
        const { withoutPasswords } = flags;
        const { lostPasswords, ...counts } = await withChanges(({ accounts: { operate } }) =>
          operate.importUsers(lines, { ...options, withoutPasswords }, by(flags)),
        );
        return { ...counts, leftOut: source.leftOut(lostPasswords) };
      },
      {
        note: noteOf,
        record: 'User',
        read: source.lines,
      },
    );
  } finally {
    source.close();
  }
};

export const importVerb = (noun: Command, context: CommandContext): void => {
  actingVerb(noun, 'import <file>', 'add users from JSON lines; existing users stay unchanged')
    .hook('preAction', context.lowerPriority)
    .option('--dry-run', 'check everything, write nothing')
    .addOption(
      new Option('--from <product>', 'the file is an export of that product').choices(Object.keys(products)),
    )
    .option('--hash-config <file>', 'the hash configuration of the Firebase project')
    .option('--passwords <file>', 'the file of password hashes from Auth0')
    .option('--without-passwords', 'where a password cannot be imported, import the user without it')
    .addOption(REASON)
    .action((file: string, flags: ImportCommandOptions) => {
      const product = flags.from === undefined ? undefined : products[flags.from];
      if (product !== undefined) return importFrom(context, product, file, flags);
      if (flags.hashConfig !== undefined || flags.passwords !== undefined || flags.withoutPasswords)
        throw invalid('wrong_usage', '--hash-config, --passwords and --without-passwords need --from.');
      return importOwnFormat(context, file, flags);
    });
};
