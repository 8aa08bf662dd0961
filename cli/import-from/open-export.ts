import { readFile } from 'node:fs/promises';
import { invalid } from '../../core/errors.ts';
import type { BadLine, Fields, Line, Lines } from '../../core/import-lines.ts';
import { brokenExport } from './collect-record-bytes.ts';
import { parseHashConfig } from './hashes.ts';
import { makeLostFields } from './lost-fields.ts';
import type { SourceProduct } from './products.ts';
import { type ExportRecord, formOf, openByteRanges, readRecords } from './read-records.ts';
import { makeRecordIndex } from './record-index.ts';
import { type ConvertedUser, lineOf } from './user-to-import-line.ts';

/** The files of an export, and how to import it. */
export interface ExportFlags {
  /** Firebase's hash configuration. */
  readonly hashConfig?: string;
  /** Auth0's password hashes. */
  readonly passwords?: string;
  readonly withoutPasswords?: boolean;
}

/** An export whose structure is valid. */
export interface Export {
  lines(onBytes: (bytes: number) => void): Lines;
  /**
   * Counts, for each field, the users read so far that lose it. `lostPasswords` are the passwords that the import itself
   * left out.
   */
  leftOut(lostPasswords?: number): Readonly<Record<string, number>>;
  close(): void;
}

const wrongUsage = (message: string) => invalid('wrong_usage', message);

const NO_OBJECT: BadLine = {
  problem: 'It belongs to a user and is not a JSON object: its content was not imported.',
};

const UNREADABLE: BadLine = { problem: 'It is not a user of that product.' };

const FLAGS = { hashConfig: '--hash-config', passwords: '--passwords' } as const;

/** Throws `invalid` (`wrong_usage`) if a needed file is missing, or the product does not take a given file. */
const checkFlags = ({ requiredFile }: SourceProduct, flags: ExportFlags): void => {
  for (const name of ['hashConfig', 'passwords'] as const) {
    if (name !== requiredFile && flags[name] !== undefined)
      throw wrongUsage(`${FLAGS[name]} is not for the export of this product.`);
  }
  if (requiredFile === null || flags[requiredFile] !== undefined || flags.withoutPasswords) return;
  throw wrongUsage(
    `The passwords need ${FLAGS[requiredFile]} FILE. They cannot follow later, since an import leaves out users who are ` +
      'there already. --without-passwords imports the users without their passwords.',
  );
};

/**
 * Reads a file to its end: checks that it has users, remembers the byte ranges of each user's records, and counts
 * records that should belong to a user but are no objects.
 */
const scanRecords = async (
  records: AsyncIterable<ExportRecord>,
  isUser: (record: ExportRecord) => boolean,
  isRelated: (record: ExportRecord) => boolean,
  ownerOf: (fields: Fields) => string | undefined,
) => {
  const index = makeRecordIndex();
  let isEmpty = true;
  let brokenCount = 0;
  for await (const record of records) {
    const { content, range } = record;
    // A blank line has no content.
    if (content === undefined) continue;
    if (isUser(record)) isEmpty = false;
    if (!isRelated(record)) continue;
    if ('problem' in content) {
      brokenCount += 1;
      continue;
    }
    const owner = ownerOf(content.fields);
    if (owner !== undefined) index.add(owner, range);
  }
  if (isEmpty) throw brokenExport('There are no users in the file, or it is no export of that product.');
  return { index, brokenCount };
};

/**
 * Opens an export. The file is read to its end before the first user is imported: so a truncated JSON document is refused
 * as a whole, and the records of each user are known by their byte ranges. Throws `invalid` (`broken_export`, `wrong_usage`,
 * `wrong_hash_config`).
 */
export const openExport = async (
  file: string,
  product: SourceProduct,
  flags: ExportFlags,
): Promise<Export> => {
  checkFlags(product, flags);
  const { related, users, takesCsv } = product;
  const arrays = [users, related?.array ?? null].filter((name) => name !== null);
  const form = await formOf(file, { arrays, takesCsv });
  const config =
    flags.hashConfig === undefined ? undefined : parseHashConfig(await readFile(flags.hashConfig, 'utf8'));
  const describe = product.describe(config);
  // `array` is empty for a line, a row, and an element of a document that is an array itself: each is a user.
  const isUser = ({ array }: ExportRecord) => array === '' || array === users;
  const lostFields = makeLostFields();

  const ownerOf = (fields: Fields) => related?.ownerOf(fields);
  const passwordsFile = flags.passwords;
  // The file of passwords, if given, has all related records: then the scan of the export only checks that it has users.
  const isRelated = ({ array }: ExportRecord) =>
    passwordsFile === undefined && related !== null && array === related.array;
  let scan = await scanRecords(readRecords(file, form, arrays), isUser, isRelated, ownerOf);
  if (passwordsFile !== undefined) {
    const passwordsForm = await formOf(passwordsFile, { arrays: [], takesCsv: false });
    const isAny = () => true;
    scan = await scanRecords(readRecords(passwordsFile, passwordsForm, []), isAny, isAny, ownerOf);
  }
  const { index, brokenCount } = scan;
  const reader = related === null ? null : openByteRanges(passwordsFile ?? file);

  /** Leaves out records of other users, which `index` may rarely return: it keeps a hash of each id. */
  const relatedOf = (user: Fields): readonly Fields[] => {
    const id = related?.idOf(user);
    if (id === undefined || reader === null) return [];
    return index
      .find(id)
      .map(reader.read)
      .filter((record) => record !== undefined)
      .filter((record) => related?.ownerOf(record) === id);
  };

  // No content of a record must end the import of the others.
  const convertUser = (user: Fields, relatedRecords: readonly Fields[]): ConvertedUser | BadLine => {
    try {
      const described = describe(user, relatedRecords);
      return 'problem' in described ? described : lineOf(described, flags.withoutPasswords ?? false);
    } catch {
      return UNREADABLE;
    }
  };

  const convertRecord = ({ content }: ExportRecord): Line => {
    // The import skips a blank line, but numbers it.
    if (content === undefined) return '';
    if ('problem' in content) return content;
    const converted = convertUser(content.fields, relatedOf(content.fields));
    if ('problem' in converted) return converted;
    lostFields.add(converted.leftOut);
    return JSON.stringify(converted.line);
  };

  return {
    lines: async function* (onBytes) {
      for await (const record of readRecords(file, form, arrays, onBytes))
        if (isUser(record)) yield convertRecord(record);
      // These bad lines come last, so that each user keeps the number of its record.
      for (let count = 0; count < brokenCount; count += 1) yield NO_OBJECT;
    },
    leftOut: (lostPasswords = 0) => lostFields.read({ password: lostPasswords }),
    close: () => reader?.close(),
  };
};
