import type { Db, Document } from 'mongodb';
import type { Indexes } from '../../../../adapters/mongodb/engine/indexes.ts';

export interface Query {
  readonly collection: string;
  readonly filter: Document;
  readonly sort: Document;
  /** The most documents to return; 0 for all. */
  readonly limit: number;
}

const collectionOf = ({ find, aggregate, update, delete: from, findAndModify, count }: Document): unknown =>
  find ?? aggregate ?? update ?? from ?? findAndModify ?? count;

const filtersOf = (command: Document): readonly Document[] => {
  const { find, filter = {}, aggregate, pipeline = [], findAndModify, query = {}, count } = command;
  if (find !== undefined) return [filter];
  if (aggregate !== undefined) return [pipeline[0]?.$match ?? {}];
  if (findAndModify !== undefined) return [query];
  // The server knows the number of all documents without a scan.
  if (count !== undefined) return Object.keys(query).length > 0 ? [query] : [];
  return (command.updates ?? command.deletes ?? []).map(({ q }: Document) => q);
};

/** The driver turns a sort order into a map. */
const plainSort = (sort: Document): Document => (sort instanceof Map ? Object.fromEntries(sort) : sort);

/** The filters of a command with its sort order; each branch of an `$or` is a query of its own. */
export const queriesOf = (command: Document): readonly Query[] => {
  const stages: readonly Document[] = command.pipeline ?? [];
  const stage = (name: string) => stages.find((candidate) => candidate[name] !== undefined)?.[name];
  const rest = {
    collection: String(collectionOf(command)),
    sort: plainSort(command.sort ?? stage('$sort') ?? {}),
    limit: command.limit ?? stage('$limit') ?? 0,
  };
  return filtersOf(command).flatMap(({ $or: branches = [{}], ...filter }: Document) =>
    branches.map((branch: Document) => ({ ...rest, filter: { ...filter, ...branch } })),
  );
};

const isFixed = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null && '$eq' in condition;

/** Whether an index serves the filter and the order of a query, forwards or backwards. */
const serves = (keys: Document, { filter, sort }: Pick<Query, 'filter' | 'sort'>): boolean => {
  const fields = Object.keys(keys);
  const ordered = fields.filter((field) => field in sort || !isFixed(filter[field]));
  const orders = Object.entries(sort);
  // A query with an order alone reads a page, which ends at its limit.
  if (!((fields[0] ?? '') in filter) && (Object.keys(filter).length > 0 || orders.length === 0)) return false;
  const isServed = (sign: number) =>
    orders.every(([field, order], place) => ordered[place] === field && keys[field] === order * sign);
  return isServed(1) || isServed(-1);
};

/** Whether a partial index holds every document that the filter matches. */
const isWithin = (where: Document, filter: Document): boolean =>
  Object.entries(where).every(([field, required]) => {
    const condition = filter[field] ?? {};
    if (typeof required !== 'object') return condition.$eq === required;
    return '$exists' in required ? field in filter : (condition.$gt ?? -1) >= required.$gt;
  });

/** How well an index fits a filter: by its leading fields first, and then by the other fields of the filter in it. */
const fitOf = (keys: Document, filter: Document): number => {
  const fields = Object.keys(keys);
  const open = fields.findIndex((field) => !isFixed(filter[field]));
  const fixed = open === -1 ? fields.length : open;
  const isRange = open !== -1 && (fields[open] ?? '') in filter;
  return fixed + (isRange ? 0.5 : 0) + fields.filter((field) => field in filter).length / 100;
};

/** The index that fits a query best; undefined if none serves it. */
export const indexFor = (indexes: Indexes, query: Query): string | undefined => {
  const { collection, filter, sort, limit } = query;
  const candidates = [{ name: '_id_', keys: { _id: 1 } }, ...(indexes[collection] ?? [])];
  // Any one document: no index is needed.
  if (limit === 1 && Object.keys({ ...filter, ...sort }).length === 0) return '_id_';
  // Of two that fit equally well, the later: more general indexes come first.
  const [best] = candidates
    .toReversed()
    .map(({ name, keys, ...rest }) => ({ name, keys: keys as Document, where: {}, ...rest }))
    .filter(({ keys, where }) => serves(keys, query) && isWithin(where, filter))
    .sort((a, b) => fitOf(b.keys, filter) - fitOf(a.keys, filter));
  return best?.name;
};

const isPinned = (condition: unknown): boolean =>
  isFixed(condition) || (typeof condition === 'object' && condition !== null && '$in' in condition);

/** Fields that may be compared outside the index, and why few documents are read in vain for them. */
const COMPARED: Readonly<Record<string, { readonly fields: readonly string[]; readonly because: string }>> = {
  accounts: {
    fields: [
      'account.access.tier',
      'account.access.isPremium',
      'account.verified',
      'disabledUntil',
      'bannedUntil',
      'isOperator',
      'hasTwoFactor',
      'email',
      'listed',
    ],
    because: 'A search by several conditions reads the list for one of them in parts, up to 5,000 accounts.',
  },
  audit: {
    fields: ['_id', 'rows.entryId'],
    because: 'A block is found by the id of an entry; every block has a number.',
  },
  billing_events: { fields: ['standing'], because: 'Few deliveries of that age are pending.' },
  files: { fields: ['removed'], because: 'Removed records have no accesses.' },
  outbox: { fields: ['mail.template'], because: 'A user has few waiting mails.' },
  sessions: {
    fields: ['isOpen', 'session.id', 'session.epoch'],
    because: 'An ended session stays until its event is relayed.',
  },
  statistics: { fields: ['counted'], because: 'There are at most 400 days.' },
  tries: {
    fields: ['endsAt', 'firstAt'],
    because: 'A key has few attempts, and expired attempts are swept.',
  },
  webhooks: {
    fields: ['mail.endpoint'],
    because: 'Operators discard the deliveries of an endpoint rarely.',
  },
};

/**
 * The fields of a filter that its best index does not narrow down, so that the server reads documents in vain. Fields beside
 * the id of a document do not count.
 */
export const comparedFields = (indexes: Indexes, query: Query): readonly string[] => {
  const { collection, filter } = query;
  if (isPinned(filter._id)) return [];
  const [fewest = []] = [{ keys: { _id: 1 }, where: {} }, ...(indexes[collection] ?? [])]
    .map(({ keys, ...rest }) => ({ where: {}, ...rest, keys: keys as Document }))
    .filter(({ keys, where }) => serves(keys, query) && isWithin(where, filter))
    .map(({ keys, where }) => {
      const fields = Object.keys(keys);
      const open = fields.findIndex((field) => !isPinned(filter[field]));
      const narrowed = open === -1 ? fields : fields.slice(0, open + 1);
      return Object.keys(filter).filter((field) => !narrowed.includes(field) && !(field in where));
    })
    .sort((a, b) => a.length - b.length);
  return fewest.filter((field) => !COMPARED[collection]?.fields.includes(field));
};

/** All indexes but those that only expire documents. */
export const indexNames = (indexes: Indexes): readonly string[] =>
  Object.entries(indexes)
    .flatMap(([collection, specs]) =>
      specs.flatMap(({ name, expireAfterSeconds }) =>
        expireAfterSeconds === undefined ? `${collection}.${name}` : [],
      ),
    )
    .sort();

/** Whether the server scans the collection or sorts in memory. */
const isScan = async (db: Db, command: Document): Promise<boolean> => {
  const { lsid, $db, $clusterTime, readConcern, writeConcern, ...plain } = command;
  return /"stage":"(COLLSCAN|SORT)"/.test(JSON.stringify(await db.command({ explain: plain })));
};

/** Whether the server explains the plans that it uses. Some servers report a scan for most filters. */
export const explainsPlans = async (db: Db): Promise<boolean> =>
  !(await isScan(db, { find: 'none', filter: { _id: { $eq: 'x' }, other: { $eq: 1 } } }));

/** The commands for which the server would scan or sort. */
export const scansAmong = async (db: Db, commands: readonly Document[]): Promise<readonly Document[]> => {
  const scans: Document[] = [];
  for (const command of commands) if (await isScan(db, command)) scans.push(command);
  return scans;
};
