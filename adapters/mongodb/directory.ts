import type { Filter, FindOptions, Sort } from 'mongodb';
import {
  type Directory,
  type DirectoryFilter,
  type DirectoryPosition,
  type DirectoryStart,
  leadOf,
  type SearchPosition,
} from '../../core/accounts/directory.ts';
import { readRanges } from '../../core/pagination.ts';
import type { Clock } from '../../core/ports.ts';
import { BULK_MS } from '../calls/store-calls.ts';
import { makeAccountCounts, type TierCounts, totalOf } from './documents/account-counts.ts';
import { ACCOUNTS, type AccountDocument, accountsOf, LISTED } from './documents/account-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { equals, integer, is, limitOf, text } from './engine/scalars.ts';

/** Accounts that one call handles well within its deadline: it counts `few` or a `page`, or skips `step` in an index. */
const AMOUNTS = { few: 5_000, page: 20_000, step: 200_000 };

export const makeMongoDirectory = (database: MongoDatabase, clock: Clock, amounts = AMOUNTS): Directory => {
  const { call, collection } = database;
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const counts = makeAccountCounts(database, clock, amounts);

  const read = (query: Filter<AccountDocument>, options: FindOptions) =>
    call(() => accounts.find(query, options).toArray());

  const readBetween = (
    query: Filter<AccountDocument>,
    sort: Sort,
    limit: number,
    ranges: readonly Filter<AccountDocument>[],
  ) =>
    readRanges(
      limit,
      ranges.map((range) => (size) => read({ ...query, ...range }, { sort, limit: size })),
    );

  /** The position `count` accounts further on. An index alone finds it: no skipped account is read. */
  const positionAfter = async (
    query: Filter<AccountDocument>,
    after: DirectoryPosition | null,
    count: number,
  ): Promise<DirectoryPosition | undefined> => {
    let skip = count - 1;
    const ranges = between(after, null);
    for (const range of ranges) {
      const within = { ...query, ...range };
      // The last range goes on to the end of the list. A range before it has the few accounts created at the moment of `after`.
      const isLast = range === ranges.at(-1);
      const available = isLast ? Infinity : await call(() => accounts.countDocuments(within));
      if (skip < available) {
        const options = { sort: BY_TIME, skip, limit: 1, projection: { 'account.createdAt': 1 } };
        const [document] = await read(within, options);
        return document && { createdAt: document.account?.createdAt ?? 0, id: document._id };
      }
      skip -= available;
    }
    return undefined;
  };

  const emailAfter = async (emailBegins: string, after: string | null, count: number) => {
    const filter = { ...LISTED, ...emailsOf({ emailBegins }, after) };
    const options = { sort: BY_EMAIL, skip: count - 1, limit: 1, projection: { email: 1 } };
    const [document] = await read(filter, options);
    return document?.email;
  };

  /** The position after which a page begins, in the order of times: null before the first account, undefined behind the last. */
  const startPosition = async (
    query: Filter<AccountDocument>,
    start: DirectoryStart,
  ): Promise<DirectoryPosition | null | undefined> => {
    if ('after' in start) return start.after;
    let position: DirectoryPosition | null = null;
    for (let skip = integer(start.skip); skip > 0; skip -= amounts.step) {
      const next = await positionAfter(query, position, Math.min(skip, amounts.step));
      if (next === undefined) return undefined;
      position = next;
    }
    return position;
  };

  return {
    list: async (filter, start, most) => {
      const query = filterOf(filter);
      const limit = limitOf(most);
      if (filter.emailBegins !== undefined) {
        // In the order of emails no page begins after an account, so `start` has a `skip`.
        const skip = 'skip' in start ? integer(start.skip) : 0;
        return accountsOf(await read(query, { sort: BY_EMAIL, skip, limit }));
      }
      // At most one account has the email.
      const sort = filter.email === undefined ? BY_TIME : {};
      const position = await startPosition(query, start);
      if (position === undefined) return [];
      return accountsOf(await readBetween(query, sort, limit, between(position, null)));
    },
    search: async (filter, after, limit, maxReads) => {
      const { emailBegins } = filter;
      // `lead`: the condition whose index the search follows. `isWhole`: the filter has no other condition, so no account is read
      // in vain.
      const { lead, isWhole } = leadOf(filter);
      const most = limitOf(limit);
      const searched = limitOf(maxReads);
      const query = filterOf(filter);
      // Positions are emails in a search by the beginning of emails, and otherwise positions in the order of times.
      let end: SearchPosition | undefined;
      let documents: readonly AccountDocument[];
      if (emailBegins !== undefined) {
        const position = after as string | null;
        end = isWhole ? undefined : await emailAfter(emailBegins, position, searched);
        // The narrower condition for emails replaces that of the query.
        const within = { ...query, ...emailsOf(filter, position, end) };
        documents = await read(within, { sort: BY_EMAIL, limit: most });
      } else {
        const position = after as DirectoryPosition | null;
        end = isWhole ? undefined : await positionAfter(filterOf(lead), position, searched);
        documents = await readBetween(query, BY_TIME, most, between(position, end ?? null));
      }
      // A full page may leave accounts before `end` unread: the next search continues after its last account.
      const searchedTo = documents.length < most ? (end ?? null) : null;
      return { accounts: accountsOf(documents), searchedTo };
    },
    count: async (filter) => {
      const query = filterOf(filter);
      const counted = await call(() => accounts.countDocuments(query, { limit: amounts.few + 1 }));
      if (counted <= amounts.few) return counted;
      if (!isByTier(filter)) return call(() => accounts.countDocuments(query), BULK_MS);
      const tiers = await counts.at(clock.now());
      return totalOf(tiers.filter(({ _id }) => filter.tier === undefined || _id === filter.tier));
    },
    stats: async (now) => {
      const tiers = await counts.at(now);
      const sum = (name: Exclude<keyof TierCounts, '_id'>) =>
        tiers.reduce((total, tier) => total + tier[name], 0);
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
    // No count is kept by writes, so none can be wrong.
    verifyCounts: async () => [],
  };
};

/** Whether the filter has no condition except, at most, the tier. */
const isByTier = ({ tier: _tier, ...rest }: DirectoryFilter): boolean =>
  Object.values(rest).every((condition) => condition === undefined);

const filterOf = (filter: DirectoryFilter): Filter<AccountDocument> => {
  const { tier, bannedAt, disabledAt, unverified, operator, twoFactor, premium } = filter;
  return {
    ...LISTED,
    ...emailsOf(filter),
    ...(tier === undefined ? {} : { 'account.access.tier': is(tier) }),
    ...(bannedAt === undefined ? {} : { bannedUntil: { $gt: integer(bannedAt) } }),
    ...(disabledAt === undefined ? {} : { disabledUntil: { $gt: integer(disabledAt) } }),
    ...(unverified ? { 'account.verified': { $eq: false } } : {}),
    ...(operator ? { isOperator: { $eq: true } } : {}),
    ...(twoFactor ? { hasTwoFactor: { $eq: true } } : {}),
    ...(premium ? { 'account.access.isPremium': { $eq: true } } : {}),
  };
};

/** Sorts after every character of an email. */
const LAST = '\u{10ffff}';

/** The condition for emails, optionally behind an email and up to another. */
const emailsOf = (
  { email, emailBegins }: DirectoryFilter,
  after: string | null = null,
  end: string | null = null,
): Filter<AccountDocument> => {
  const condition = {
    ...(emailBegins !== undefined && { $gte: text(emailBegins), $lt: `${text(emailBegins)}${LAST}` }),
    ...(email !== undefined && is(email)),
    ...(after !== null && { $gt: text(after) }),
    ...(end !== null && { $lte: end }),
  };
  return Object.keys(condition).length === 0 ? {} : { email: condition };
};

const BY_TIME: Sort = { 'account.createdAt': -1, _id: -1 };
const BY_EMAIL: Sort = { email: 1 };

/**
 * Accounts after a position in the list, which begins with the newest, up to an end: accounts created at the moment of the
 * position, accounts created between the two moments, and accounts created at the moment of the end. `filterOf` sets neither
 * field of these conditions, so they overwrite nothing in a query.
 */
const between = (
  after: DirectoryPosition | null,
  end: DirectoryPosition | null,
): readonly Filter<AccountDocument>[] => {
  const olderThanPosition = after === null ? {} : { $lt: integer(after.createdAt) };
  const newerThanEnd = end === null ? {} : { $gt: end.createdAt };
  const idBehindPosition = after === null ? {} : { $lt: text(after.id) };
  const idUpToEnd = end === null ? {} : { $gte: end.id };
  if (after === null && end === null) return [{}];
  if (after !== null && after.createdAt === end?.createdAt)
    return [{ 'account.createdAt': equals(after.createdAt), _id: { ...idBehindPosition, ...idUpToEnd } }];
  return [
    ...(after === null ? [] : [{ 'account.createdAt': equals(after.createdAt), _id: idBehindPosition }]),
    { 'account.createdAt': { ...olderThanPosition, ...newerThanEnd } },
    ...(end === null ? [] : [{ 'account.createdAt': equals(end.createdAt), _id: idUpToEnd }]),
  ];
};
