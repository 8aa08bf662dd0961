import type { Clock } from '../../core/ports.ts';
import { ACCOUNTS, type AccountDocument, LISTED } from './account-document.ts';
import { BULK, type MongoDatabase } from './client.ts';
import { isDuplicate } from './failures.ts';
import { whole } from './scalars.ts';

/** How many accounts are counted in which way. */
export interface Amounts {
  /** So many are counted for each request, exactly as of now. Beyond it, what was counted of late serves. */
  readonly few: number;
  /** So many one call counts, when all are. */
  readonly page: number;
}

/** Milliseconds for which a count serves, from its beginning on; with the time alone, access changes 5 s later. */
const SERVES = 45_000;
/** Milliseconds after which it is to be replaced. */
const RENEWED = 25_000;

/** What is counted of the accounts with a tier in effect. */
export interface TierCounts {
  readonly _id: string;
  readonly total: number;
  readonly premium: number;
  readonly verified: number;
  readonly twoFactor: number;
  readonly banned: number;
  readonly disabled: number;
}

interface PageCounts extends TierCounts {
  readonly last: string;
}

/** The last count of all accounts; `at` is when it began, `took` how long it was about it, in milliseconds. */
interface CountsDocument {
  readonly _id: 'accounts';
  readonly at: number;
  readonly took: number;
  readonly tiers: readonly TierCounts[];
}

const ONLY = { _id: { $eq: 'accounts' } } as const;

export const totalOf = (tiers: readonly TierCounts[]): number =>
  tiers.reduce((sum, { total }) => sum + total, 0);

/**
 * Counts of all accounts. A count kept beside the accounts could not change with them in one write, so many are counted
 * in the background, a page of an index at a time, and what was found serves everybody for less than a minute.
 */
export const makeAccountCounts = (
  { call, collection }: MongoDatabase,
  clock: Clock,
  { few, page }: Amounts,
) => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const counts = collection<CountsDocument>('counts');
  let underWay: Promise<readonly TierCounts[]> | undefined;

  const countFew = async (now: number): Promise<readonly TierCounts[] | undefined> => {
    const stages = [{ $match: LISTED }, { $limit: few + 1 }, { $group: countsAt(now) }];
    const tiers = await call(() => accounts.aggregate<TierCounts>(stages).toArray());
    return totalOf(tiers) > few ? undefined : tiers;
  };

  const countPage = (now: number, after: string) => {
    const stages = [
      { $match: { ...LISTED, _id: { $gt: after } } },
      { $sort: { _id: 1 } },
      { $limit: page },
      { $group: { ...countsAt(now), last: { $max: '$_id' } } },
    ];
    return call(() => accounts.aggregate<PageCounts>(stages).toArray(), BULK);
  };

  const keep = (kept: Omit<CountsDocument, '_id'>): Promise<unknown> =>
    call(async () => {
      // One so far ahead serves nobody: it is from before the clock was set back.
      const outdated = [{ at: { $lt: kept.at } }, { at: { $gt: kept.at + SERVES } }];
      try {
        await counts.updateOne({ ...ONLY, $or: outdated }, { $set: kept }, { upsert: true });
      } catch (error) {
        // There is a later one.
        if (!isDuplicate(error)) throw error;
      }
    });

  const countAll = async (now: number): Promise<readonly TierCounts[]> => {
    const at = clock.now();
    const began = performance.now();
    const tiers = new Map<string, TierCounts>();
    let found: readonly PageCounts[] = [];
    let after = '';
    do {
      found = await countPage(now, after);
      for (const { last, ...more } of found) {
        tiers.set(more._id, added(tiers.get(more._id), more));
        if (last > after) after = last;
      }
    } while (totalOf(found) >= page);
    await keep({ at, took: Math.round(performance.now() - began), tiers: [...tiers.values()] });
    return [...tiers.values()];
  };

  /** Those of one process share a count. */
  const count = (now: number): Promise<readonly TierCounts[]> => {
    underWay ??= countAll(now).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  /** The last count, and for how long it has served. */
  const lastCount = async () => {
    const last = await call(() => counts.findOne(ONLY));
    return last === null ? undefined : { ...last, age: Math.abs(clock.now() - last.at) };
  };

  return {
    /** As of now, or, where there are many, of less than a minute ago. Where nobody counts in the background, it does. */
    at: async (now: number): Promise<readonly TierCounts[]> => {
      const time = whole(now);
      const last = await lastCount();
      if (last !== undefined && last.age <= SERVES && totalOf(last.tiers) > few) return last.tiers;
      return (await countFew(time)) ?? (await count(time));
    },
    /** Counts anew if there are many, and what was counted last is soon too old. */
    renew: async (): Promise<void> => {
      const last = await lastCount();
      if (last !== undefined && last.age < RENEWED - last.took) return;
      const now = clock.now();
      if ((await countFew(now)) === undefined) await count(now);
    },
  };
};

const added = (one: TierCounts | undefined, other: TierCounts): TierCounts => ({
  _id: other._id,
  total: (one?.total ?? 0) + other.total,
  premium: (one?.premium ?? 0) + other.premium,
  verified: (one?.verified ?? 0) + other.verified,
  twoFactor: (one?.twoFactor ?? 0) + other.twoFactor,
  banned: (one?.banned ?? 0) + other.banned,
  disabled: (one?.disabled ?? 0) + other.disabled,
});

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
