import type { Clock } from '../../../core/ports.ts';
import { BULK_MS } from '../../calls/store-calls.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { unlessDuplicate } from '../engine/failures.ts';
import { integer } from '../engine/scalars.ts';
import { ACCOUNTS, type AccountDocument, LISTED } from './account-document.ts';

export interface Amounts {
  /** Up to this many accounts are counted exactly for each request. With more accounts, a recent count is returned. */
  readonly few: number;
  /** Accounts that one call of a full count counts. */
  readonly page: number;
}

/**
 * How long a count is valid, from the time at which it began. What users see may be up to a minute behind: 45 s for the age of
 * the count, 5 s for the accounts that it counted, since the job that ends paid access runs every 5 s, and 10 s to spare.
 */
const VALID_FOR_MS = 45_000;
/**
 * The age at which a count should have a successor. The job runs every 10 s, and starts the next count earlier by
 * the time that the last one took.
 */
const RENEWED_AFTER_MS = 25_000;

/** Counts of the accounts with one effective tier. */
export interface TierCounts {
  readonly _id: string;
  readonly total: number;
  readonly premium: number;
  readonly verified: number;
  readonly twoFactor: number;
  readonly banned: number;
  readonly disabled: number;
}

/** Counts of the accounts with one tier on one page. */
interface PageTierCounts extends TierCounts {
  /** The greatest id of these accounts. */
  readonly last: string;
}

/** The last count of all accounts. It began at `at` and took `took` milliseconds. */
interface CountsDocument {
  readonly _id: 'accounts';
  readonly at: number;
  readonly took: number;
  readonly tiers: readonly TierCounts[];
}

const ONLY = { _id: { $eq: 'accounts' } } as const;

export const totalOf = (tiers: readonly TierCounts[]): number =>
  tiers.reduce((sum, { total }) => sum + total, 0);

/** Counts of all accounts, by a background job: a stored count could not change in the same write as an account. */
export const makeAccountCounts = (
  { call, collection }: MongoDatabase,
  clock: Clock,
  { few, page }: Amounts,
) => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const counts = collection<CountsDocument>('counts');
  let ongoingCount: Promise<readonly TierCounts[]> | undefined;

  /** Exact counts; undefined for more than `few` accounts. */
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
    return call(() => accounts.aggregate<PageTierCounts>(stages).toArray(), BULK_MS);
  };

  const storeCounts = (document: Omit<CountsDocument, '_id'>): Promise<unknown> =>
    call(() => {
      // A count from the future was made before the clock was set back.
      const outdated = [{ at: { $lt: document.at } }, { at: { $gt: document.at + VALID_FOR_MS } }];
      // A duplicate: another process has stored a later count.
      return unlessDuplicate(
        counts.updateOne({ ...ONLY, $or: outdated }, { $set: document }, { upsert: true }),
      );
    });

  const countAll = async (now: number): Promise<readonly TierCounts[]> => {
    const at = clock.now();
    const startedAt = performance.now();
    const tiers = new Map<string, TierCounts>();
    let tiersOfPage: readonly PageTierCounts[] = [];
    let after = '';
    do {
      tiersOfPage = await countPage(now, after);
      for (const { last, ...tier } of tiersOfPage) {
        tiers.set(tier._id, addCounts(tiers.get(tier._id), tier));
        if (last > after) after = last;
      }
    } while (totalOf(tiersOfPage) >= page);
    await storeCounts({ at, took: Math.round(performance.now() - startedAt), tiers: [...tiers.values()] });
    return [...tiers.values()];
  };

  /** Parallel calls of one process share a count. */
  const count = (now: number): Promise<readonly TierCounts[]> => {
    ongoingCount ??= countAll(now).finally(() => {
      ongoingCount = undefined;
    });
    return ongoingCount;
  };

  /** The last count and its age: the milliseconds to its time, which is in the future if the clock was set back. */
  const lastCount = async () => {
    const last = await call(() => counts.findOne(ONLY));
    return last === null ? undefined : { ...last, age: Math.abs(clock.now() - last.at) };
  };

  return {
    /** Exact for few accounts, else less than a minute old. Counts now if no background job has counted in time. */
    at: async (now: number): Promise<readonly TierCounts[]> => {
      const time = integer(now);
      const last = await lastCount();
      if (last !== undefined && last.age <= VALID_FOR_MS && totalOf(last.tiers) > few) return last.tiers;
      return (await countFew(time)) ?? (await count(time));
    },
    /** Counts again if there are many accounts and the last count expires soon. */
    renew: async (): Promise<void> => {
      const last = await lastCount();
      if (last !== undefined && last.age < RENEWED_AFTER_MS - last.took) return;
      const now = clock.now();
      if ((await countFew(now)) === undefined) await count(now);
    },
  };
};

const addCounts = (sum: TierCounts | undefined, page: TierCounts): TierCounts => ({
  _id: page._id,
  total: (sum?.total ?? 0) + page.total,
  premium: (sum?.premium ?? 0) + page.premium,
  verified: (sum?.verified ?? 0) + page.verified,
  twoFactor: (sum?.twoFactor ?? 0) + page.twoFactor,
  banned: (sum?.banned ?? 0) + page.banned,
  disabled: (sum?.disabled ?? 0) + page.disabled,
});

const countIf = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });

const countsAt = (now: number) => ({
  _id: '$account.access.tier',
  total: { $sum: 1 },
  premium: countIf('$account.access.isPremium'),
  verified: countIf('$account.verified'),
  twoFactor: countIf('$hasTwoFactor'),
  banned: countIf({ $gt: ['$bannedUntil', now] }),
  disabled: countIf({ $gt: ['$disabledUntil', now] }),
});
