import type { Filter, FindOptions, Sort } from 'mongodb';
import type {
  Directory,
  DirectoryFilter,
  DirectoryPosition,
  DirectoryStart,
} from '../../core/accounts/directory.ts';
import { readRanges } from '../../core/pages.ts';
import type { Clock } from '../../core/ports.ts';
import { makeAccountCounts, type TierCounts, totalOf } from './documents/account-counts.ts';
import { ACCOUNTS, type AccountDocument, accountsOf, LISTED } from './documents/account-document.ts';
import { BULK, type MongoDatabase } from './engine/client.ts';
import { equals, is, limitOf, text, whole } from './engine/scalars.ts';

/** How many accounts a call counts or skips well within its deadline. */
const AMOUNTS = { few: 5_000, page: 20_000, step: 200_000 };

/** Lists and counts the accounts in MongoDB. */
export const makeMongoDirectory = (database: MongoDatabase, clock: Clock, amounts = AMOUNTS): Directory => {
  const { call, collection } = database;
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const counts = makeAccountCounts(database, clock, amounts);

  const read = (filter: Filter<AccountDocument>, options: FindOptions) =>
    call(() => accounts.find(filter, options).toArray());

  /** The place that many accounts further on. It is found in an index alone: no skipped account is read. */
  const step = async (
    filter: Filter<AccountDocument>,
    after: DirectoryPosition | null,
    count: number,
  ): Promise<DirectoryPosition | undefined> => {
    let skip = count - 1;
    let last: readonly AccountDocument[] = [];
    for (const range of after === null ? [{}] : behind(after)) {
      const within = { ...filter, ...range };
      const tied = '_id' in range ? await call(() => accounts.countDocuments(within)) : Infinity;
      if (skip < tied) {
        const place = { sort: BY_TIME, skip, limit: 1, projection: { 'account.createdAt': 1 } };
        last = await read(within, place);
        break;
      }
      skip -= tied;
    }
    const [found] = last;
    return found && { createdAt: found.account?.createdAt ?? 0, id: found._id };
  };

  /** The place after which a page begins, in the order of times; null for the first account. */
  const placeOf = async (
    filter: Filter<AccountDocument>,
    start: DirectoryStart,
  ): Promise<DirectoryPosition | null | undefined> => {
    if ('after' in start) return start.after;
    let place: DirectoryPosition | null = null;
    for (let skip = whole(start.skip); skip > 0; skip -= amounts.step) {
      const next = await step(filter, place, Math.min(skip, amounts.step));
      if (next === undefined) return undefined;
      place = next;
    }
    return place;
  };

  return {
    list: async (given, start, most) => {
      const filter = filterOf(given);
      const limit = limitOf(most);
      if (given.emailBegins !== undefined) {
        const skip = 'skip' in start ? whole(start.skip) : 0;
        return accountsOf(await read(filter, { sort: { email: 1 }, skip, limit }));
      }
      // At most one account has the email.
      const sort = given.email === undefined ? BY_TIME : {};
      const place = await placeOf(filter, start);
      if (place === undefined) return [];
      const ranges = place === null ? [{}] : behind(place);
      const reads = ranges.map(
        (range) => (some: number) => read({ ...filter, ...range }, { sort, limit: some }),
      );
      return accountsOf(await readRanges(limit, reads));
    },
    count: async (given) => {
      const filter = filterOf(given);
      const few = await call(() => accounts.countDocuments(filter, { limit: amounts.few + 1 }));
      if (few <= amounts.few) return few;
      if (!isByTier(given)) return call(() => accounts.countDocuments(filter), BULK);
      const tiers = await counts.at(clock.now());
      return totalOf(tiers.filter(({ _id }) => given.tier === undefined || _id === given.tier));
    },
    stats: async (now) => {
      const tiers = await counts.at(now);
      const sum = (name: Exclude<keyof TierCounts, '_id'>) =>
        tiers.reduce((all, counts) => all + counts[name], 0);
      return {
        total: totalOf(tiers),
        premium: sum('premium'),
        byTier: Object.fromEntries(tiers.map(({ _id, total }) => [_id, total])),
        verified: sum('verified'),
        twoFactor: sum('twoFactor'),
        banned: sum('banned'),
        disabled: sum('disabled'),
      };
    },
    recount: () => counts.renew(),
  };
};

/** Whether the filter has no condition but the tier. */
const isByTier = ({ tier: _tier, ...rest }: DirectoryFilter): boolean =>
  Object.values(rest).every((condition) => condition === undefined);

const filterOf = (filter: DirectoryFilter): Filter<AccountDocument> => {
  const { tier, bannedAt, disabledAt, unverified, operator } = filter;
  return {
    ...LISTED,
    ...emailsOf(filter),
    ...(tier === undefined ? {} : { 'account.access.tier': is(tier) }),
    ...(bannedAt === undefined ? {} : { bannedUntil: { $gt: whole(bannedAt) } }),
    ...(disabledAt === undefined ? {} : { disabledUntil: { $gt: whole(disabledAt) } }),
    ...(unverified ? { 'account.verified': { $eq: false } } : {}),
    ...(operator ? { isOperator: { $eq: true } } : {}),
  };
};

/** Sorts after every character of an email. */
const LAST = '\uffff';

const emailsOf = ({ email, emailBegins }: DirectoryFilter): Filter<AccountDocument> => {
  const begun =
    emailBegins === undefined ? {} : { $gte: text(emailBegins), $lt: `${text(emailBegins)}${LAST}` };
  if (email !== undefined) return { email: { ...begun, ...is(email) } };
  return emailBegins === undefined ? {} : { email: begun };
};

const BY_TIME: Sort = { 'account.createdAt': -1, _id: -1 };

/** Accounts after a place in the list: those made at the same moment, then those made before. */
const behind = ({ createdAt, id }: DirectoryPosition): readonly Filter<AccountDocument>[] => [
  { 'account.createdAt': equals(createdAt), _id: { $lt: text(id) } },
  { 'account.createdAt': { $lt: whole(createdAt) } },
];
