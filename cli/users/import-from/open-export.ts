import { invalid } from '../../../core/errors.ts';
import type { Fields, Line, Lines } from '../../../core/import-lines.ts';
import { readHashConfig } from './hash-config.ts';
import { lineOf } from './our-line.ts';
import { brokenExport } from './pieces.ts';
import { makePlaces, type Places } from './places.ts';
import type { Product } from './products.ts';
import { type ExportRecord, formOf, openPlaces, readRecords } from './records.ts';
import { makeTally } from './tally.ts';

/** The files of an export, and how to take it. */
export interface ExportFlags {
  /** Firebase's hash configuration. */
  readonly hashConfig?: string;
  /** Auth0's password hashes. */
  readonly passwords?: string;
  readonly withoutPasswords?: boolean;
}

/** An export whose structure is sound. */
export interface Export {
  lines(onBytes: (bytes: number) => void): Lines;
  /** What did not come along, and of how many of the users read so far. */
  leftOut(): Readonly<Record<string, number>>;
  close(): void;
}

const wrongUsage = (message: string) => invalid('wrong_usage', message);

const FLAGS = { hashConfig: '--hash-config', passwords: '--passwords' } as const;

/** Throws `invalid` (`wrong_usage`) where a file is missing, or is given to a product that has none. */
const checkFlags = ({ needs }: Product, flags: ExportFlags): void => {
  for (const name of ['hashConfig', 'passwords'] as const) {
    if (name !== needs && flags[name] !== undefined)
      throw wrongUsage(`${FLAGS[name]} is not for the export of this product.`);
  }
  if (needs === null || flags[needs] !== undefined || flags.withoutPasswords) return;
  throw wrongUsage(
    `The passwords need ${FLAGS[needs]} FILE. A later import would find the users there and not add them: ` +
      '--without-passwords says that none are to come.',
  );
};

/** What a pass over a file is for: to count the users, and to learn where records stand that belong to a user. */
interface Pass {
  readonly isUser: (record: ExportRecord) => boolean;
  readonly ownerOf: (record: ExportRecord) => string | undefined;
}

const pass = async (records: AsyncIterable<ExportRecord>, { isUser, ownerOf }: Pass): Promise<Places> => {
  const places = makePlaces();
  let isEmpty = true;
  for await (const record of records) {
    if (record.content === undefined) continue;
    if (isUser(record)) isEmpty = false;
    const owner = ownerOf(record);
    if (owner !== undefined) places.add(owner, record.place);
  }
  if (isEmpty) throw brokenExport('There are no users in the file, or it is no export of that product.');
  return places;
};

/**
 * Opens an export. It is read to its end before the first user is imported, so that one that was cut off is refused as a
 * whole, and to learn where records stand that belong to a user. Throws `invalid` (`broken_export`, `wrong_usage`,
 * `wrong_hash_config`).
 */
export const openExport = async (file: string, product: Product, flags: ExportFlags): Promise<Export> => {
  checkFlags(product, flags);
  const { joined, users, takesCsv } = product;
  const arrays = [users, joined?.array ?? null].filter((name) => name !== null);
  const form = await formOf(file, arrays, takesCsv);
  const config = flags.hashConfig === undefined ? undefined : await readHashConfig(flags.hashConfig);
  const describe = product.describe(config);
  const isUser = ({ array }: ExportRecord) => array === '' || array === users;
  const tally = makeTally();

  const ownerIn = (array: string | null) => (record: ExportRecord) => {
    const { content } = record;
    const isJoined = array === record.array && content !== undefined && 'fields' in content;
    return isJoined ? joined?.ownerOf(content.fields) : undefined;
  };
  const own = await pass(readRecords(file, form, arrays), {
    isUser,
    ownerOf: ownerIn(joined?.array ?? null),
  });
  const others = flags.passwords;
  const places =
    others === undefined
      ? own
      : await pass(readRecords(others, await formOf(others, [], false), []), {
          isUser: () => true,
          ownerOf: ownerIn(''),
        });
  const reader = joined === null ? null : openPlaces(others ?? file);

  /** The records of that user alone: two ids may have the same place number. */
  const joinedOf = (user: Fields): readonly Fields[] => {
    const id = joined?.idOf(user);
    if (id === undefined || reader === null) return [];
    return places
      .find(id)
      .map(reader.read)
      .filter((record) => record !== undefined)
      .filter((record) => joined?.ownerOf(record) === id);
  };

  const turn = ({ content }: ExportRecord): Line => {
    if (content === undefined) return '';
    if ('problem' in content) return content;
    const described = describe(content.fields, joinedOf(content.fields));
    const turned = 'problem' in described ? described : lineOf(described, flags.withoutPasswords ?? false);
    if ('problem' in turned) return turned;
    tally.add(turned.leftOut);
    return JSON.stringify(turned.line);
  };

  return {
    lines: async function* (onBytes) {
      for await (const record of readRecords(file, form, arrays, onBytes))
        if (isUser(record)) yield turn(record);
    },
    leftOut: tally.read,
    close: () => reader?.close(),
  };
};
