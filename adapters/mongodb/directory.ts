import type { Filter, Sort } from 'mongodb';
import type { Directory, DirectoryFilter, DirectoryStart } from '../../core/accounts/directory.ts';
import { ACCOUNTS, type AccountDocument, accountsOf, LISTED } from './account-document.ts';
import type { MongoDatabase } from './client.ts';
import { is, limitOf, text, whole } from './scalars.ts';

interface TierCounts {
  readonly _id: string;
  readonly total: number;
  readonly premium: number;
  readonly verified: number;
  readonly twoFactor: number;
  readonly banned: number;
  readonly disabled: number;
}

/** Looks over the accounts in MongoDB. */
export const makeMongoDirectory = ({ call, collection }: MongoDatabase): Directory => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  return {
    list: async (given, start, most) => {
      const filter = { ...filterOf(given), ...behind(start) };
      const limit = limitOf(most);
      const skip = 'skip' in start ? whole(start.skip) : 0;
      const sort = sortOf(given);
      return accountsOf(await call(() => accounts.find(filter, { sort, skip, limit }).toArray()));
    },
    count: async (given) => {
      const filter = filterOf(given);
      return call(() => accounts.countDocuments(filter));
    },
    stats: async (now) => {
      const stages = [{ $match: LISTED }, { $group: countsAt(whole(now)) }];
      const tiers = await call(() => accounts.aggregate<TierCounts>(stages).toArray());
      const sum = (name: Exclude<keyof TierCounts, '_id'>) =>
        tiers.reduce((all, counts) => all + counts[name], 0);
      return {
        total: sum('total'),
        premium: sum('premium'),
        byTier: Object.fromEntries(tiers.map(({ _id, total }) => [_id, total])),
        verified: sum('verified'),
        twoFactor: sum('twoFactor'),
        banned: sum('banned'),
        disabled: sum('disabled'),
      };
    },
  };
};

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

/** Behind every character of an email. */
const LAST = '\uffff';

const emailsOf = ({ email, emailBegins }: DirectoryFilter): Filter<AccountDocument> => {
  const begun =
    emailBegins === undefined ? {} : { $gte: text(emailBegins), $lt: `${text(emailBegins)}${LAST}` };
  if (email !== undefined) return { email: { ...begun, ...is(email) } };
  return emailBegins === undefined ? {} : { email: begun };
};

const sortOf = ({ email, emailBegins }: DirectoryFilter): Sort => {
  // Of those with an email there is one.
  if (email !== undefined) return {};
  return emailBegins === undefined ? { 'account.createdAt': -1, _id: -1 } : { email: 1 };
};

/** The first condition alone is what an index can be entered with. */
const behind = (start: DirectoryStart): Filter<AccountDocument> => {
  if ('skip' in start) return {};
  const createdAt = whole(start.after.createdAt);
  const $lt = text(start.after.id);
  return {
    'account.createdAt': { $lte: createdAt },
    $or: [{ 'account.createdAt': { $lt: createdAt } }, { _id: { $lt } }],
  };
};

const oneIf = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });

const countsAt = (now: number) => ({
  _id: '$account.access.tier',
  total: { $sum: 1 },
  premium: oneIf('$account.access.isPremium'),
  verified: oneIf('$account.verified'),
  twoFactor: oneIf('$hasTwoFactor'),
  banned: oneIf({ $gt: ['$bannedUntil', now] }),
  disabled: oneIf({ $gt: ['$disabledUntil', now] }),
});
