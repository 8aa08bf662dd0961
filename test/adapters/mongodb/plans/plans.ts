import type { Db, Document } from 'mongodb';
import type { Indexes } from '../../../../adapters/mongodb/engine/indexes.ts';

export interface Question {
  readonly collection: string;
  readonly filter: Document;
  readonly sort: Document;
  /** How many documents are wanted; 0 for all. */
  readonly limit: number;
}

const collectionOf = ({ find, aggregate, update, delete: gone, findAndModify, count }: Document): unknown =>
  find ?? aggregate ?? update ?? gone ?? findAndModify ?? count;

const filtersOf = (command: Document): readonly Document[] => {
  const { find, filter = {}, aggregate, pipeline = [], findAndModify, query = {}, count } = command;
  if (find !== undefined) return [filter];
  if (aggregate !== undefined) return [pipeline[0]?.$match ?? {}];
  if (findAndModify !== undefined) return [query];
  // Of all that there are the server knows the number.
  if (count !== undefined) return Object.keys(query).length > 0 ? [query] : [];
  return (command.updates ?? command.deletes ?? []).map(({ q }: Document) => q);
};

/** The driver makes a map of the order that it is given. */
const plainly = (sort: Document): Document => (sort instanceof Map ? Object.fromEntries(sort) : sort);

/** The filters of a command, and the orders that it wants with them; each side of an `$or` is one of its own. */
export const questionsOf = (command: Document): readonly Question[] => {
  const stages: readonly Document[] = command.pipeline ?? [];
  const stage = (name: string) => stages.find((one) => one[name] !== undefined)?.[name];
  const rest = {
    collection: String(collectionOf(command)),
    sort: plainly(command.sort ?? stage('$sort') ?? {}),
    limit: command.limit ?? stage('$limit') ?? 0,
  };
  return filtersOf(command).flatMap(({ $or: sides = [{}], ...filter }: Document) =>
    sides.map((side: Document) => ({ ...rest, filter: { ...filter, ...side } })),
  );
};

const isFixed = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null && '$eq' in condition;

/** Whether an index leads to what is asked for, in the order in which it is wanted, forwards or backwards. */
const serves = (keys: Document, { filter, sort }: Pick<Question, 'filter' | 'sort'>): boolean => {
  const fields = Object.keys(keys);
  const ordered = fields.filter((field) => field in sort || !isFixed(filter[field]));
  const wanted = Object.entries(sort);
  // What asks for all in an order is a page, which ends at its limit.
  if (!((fields[0] ?? '') in filter) && (Object.keys(filter).length > 0 || wanted.length === 0)) return false;
  const isServed = (way: number) =>
    wanted.every(([field, order], place) => ordered[place] === field && keys[field] === order * way);
  return isServed(1) || isServed(-1);
};

/** Whether whatever the filter finds is in a partial index. */
const isWithin = (where: Document, filter: Document): boolean =>
  Object.entries(where).every(([field, wanted]) => {
    const asked = filter[field] ?? {};
    if (typeof wanted !== 'object') return asked.$eq === wanted;
    return '$exists' in wanted ? field in filter : (asked.$gt ?? -1) >= wanted.$gt;
  });

/** How near an index leads: by what it begins with, and then by what else of the filter is in it. */
const nearness = (keys: Document, filter: Document): number => {
  const fields = Object.keys(keys);
  const open = fields.findIndex((field) => !isFixed(filter[field]));
  const fixed = open === -1 ? fields.length : open;
  const isRange = open !== -1 && (fields[open] ?? '') in filter;
  return fixed + (isRange ? 0.5 : 0) + fields.filter((field) => field in filter).length / 100;
};

/** The index that leads nearest to what is asked for; undefined when none does. */
export const indexFor = (indexes: Indexes, question: Question): string | undefined => {
  const { collection, filter, sort, limit } = question;
  const known = [{ name: '_id_', keys: { _id: 1 } }, ...(indexes[collection] ?? [])];
  // The first that there is, whichever.
  if (limit === 1 && Object.keys({ ...filter, ...sort }).length === 0) return '_id_';
  // Of two as near, the later: the more general ones come first.
  const [best] = known
    .toReversed()
    .map(({ name, keys, ...rest }) => ({ name, keys: keys as Document, where: {}, ...rest }))
    .filter(({ keys, where }) => serves(keys, question) && isWithin(where, filter))
    .sort((one, other) => nearness(other.keys, filter) - nearness(one.keys, filter));
  return best?.name;
};

const isPinned = (condition: unknown): boolean =>
  isFixed(condition) || (typeof condition === 'object' && condition !== null && '$in' in condition);

/** Fields that are compared in each key or document that a query comes to: why few are read in vain. */
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
    because:
      'A search by several conditions goes over the list by one in parts, and ends after 5,000 accounts.',
  },
  audit: {
    fields: ['_id', 'rows.entryId'],
    because: 'The block of an entry is found by the entry; every block has a number.',
  },
  billing_events: { fields: ['standing'], because: 'Few deliveries of that age are pending.' },
  files: { fields: ['removed'], because: 'Removed records have no accesses.' },
  outbox: { fields: ['mail.template'], because: 'A user has a few mails that wait.' },
  sessions: {
    fields: ['isOpen', 'session.id', 'session.epoch'],
    because: 'An ended session stays until its event is out.',
  },
  statistics: { fields: ['counted'], because: 'There are 400 days at the most.' },
  tries: {
    fields: ['endsAt', 'firstAt'],
    because: 'A key has few attempts, and those that are over are swept.',
  },
  webhooks: {
    fields: ['mail.endpoint'],
    because: 'An operator discards what nobody is to hear, once in the life of an address.',
  },
};

/**
 * The fields of a filter at which no index ends that serves it: the server reads in vain what does not match. Those of a
 * document that its id finds do not count.
 */
export const comparedFields = (indexes: Indexes, question: Question): readonly string[] => {
  const { collection, filter } = question;
  if (isPinned(filter._id)) return [];
  const [fewest = []] = [{ keys: { _id: 1 }, where: {} }, ...(indexes[collection] ?? [])]
    .map(({ keys, ...rest }) => ({ where: {}, ...rest, keys: keys as Document }))
    .filter(({ keys, where }) => serves(keys, question) && isWithin(where, filter))
    .map(({ keys, where }) => {
      const fields = Object.keys(keys);
      const open = fields.findIndex((field) => !isPinned(filter[field]));
      const ended = open === -1 ? fields : fields.slice(0, open + 1);
      return Object.keys(filter).filter((field) => !ended.includes(field) && !(field in where));
    })
    .sort((one, other) => one.length - other.length);
  return fewest.filter((field) => !COMPARED[collection]?.fields.includes(field));
};

/** All indexes but those that only tidy up. */
export const indexNames = (indexes: Indexes): readonly string[] =>
  Object.entries(indexes)
    .flatMap(([collection, ones]) =>
      ones.flatMap(({ name, expireAfterSeconds }) =>
        expireAfterSeconds === undefined ? `${collection}.${name}` : [],
      ),
    )
    .sort();

/** Whether the server takes a scan, or sorts in memory. */
const isScan = async (db: Db, command: Document): Promise<boolean> => {
  const { lsid, $db, $clusterTime, readConcern, writeConcern, ...plain } = command;
  return /"stage":"(COLLSCAN|SORT)"/.test(JSON.stringify(await db.command({ explain: plain })));
};

/** Some servers say of most filters that they take a scan, whatever they do. */
export const saysHow = async (db: Db): Promise<boolean> =>
  !(await isScan(db, { find: 'none', filter: { _id: { $eq: 'x' }, other: { $eq: 1 } } }));

/** Those of the commands that the server would scan or sort for. */
export const scansAmong = async (db: Db, commands: readonly Document[]): Promise<readonly Document[]> => {
  const found: Document[] = [];
  for (const command of commands) if (await isScan(db, command)) found.push(command);
  return found;
};
