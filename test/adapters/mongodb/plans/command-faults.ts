import type { Document } from 'mongodb';

/** What no command may use: some servers lack it or treat it differently. */
const FORBIDDEN = new Set([
  '$where',
  '$function',
  '$accumulator',
  '$text',
  '$changeStream',
  '$bucket',
  'collation',
  'capped',
  'startTransaction',
  'commitTransaction',
  'bulkWrite',
]);
const FORBIDDEN_INDEXES = new Set<unknown>(['hashed', 'text']);
const READ_CONCERNS = new Set<unknown>([undefined, 'local', 'majority']);

/** Every name of a field, at any depth, with its value. */
const fieldsOf = (value: unknown): readonly (readonly [name: string, value: unknown])[] => {
  if (value instanceof Map) return fieldsOf(Object.fromEntries(value));
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Uint8Array)
    return [];
  return Object.entries(value).flatMap(([name, inner]) => [[name, inner] as const, ...fieldsOf(inner)]);
};

const isForbidden = (command: Document): boolean => {
  const { findAndModify, hint, updates = [], readConcern, indexes = [] } = command;
  return (
    fieldsOf({ ...command, documents: [] }).some(([name]) => FORBIDDEN.has(name)) ||
    (findAndModify !== undefined && hint !== undefined) ||
    updates.some(({ u }: Document) => Array.isArray(u)) ||
    !READ_CONCERNS.has(readConcern?.level) ||
    fieldsOf(indexes.map(({ key }: Document) => key)).some(
      ([name, order]) => name.includes('$**') || FORBIDDEN_INDEXES.has(order),
    )
  );
};

/** Filters that must lead to one shard: those of upserts and of `findAndModify`. */
const singleFilters = ({ findAndModify, query, updates = [] }: Document): readonly Document[] => [
  ...(findAndModify === undefined ? [] : [query]),
  ...updates.filter(({ upsert }: Document) => upsert === true).map(({ q }: Document) => q),
];

const isFixed = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null ? '$eq' in condition : condition !== undefined;

/** The shard key of records of a user is the user; that of all other documents is the id. */
const SHARD_KEYS: Readonly<Record<string, string>> = { sessions: 'userId', files: 'user' };

/** The fault of a command as one line; undefined if it has none. */
export const faultOf = (command: Document): string | undefined => {
  if (isForbidden(command)) return `forbidden: ${JSON.stringify(command)}`;
  const key = SHARD_KEYS[String(command.findAndModify ?? command.update)] ?? '_id';
  const scattered = singleFilters(command).find((filter) => !isFixed(filter[key]));
  return scattered && `without ${key}: ${JSON.stringify(command)}`;
};
