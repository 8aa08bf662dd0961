import type { Account } from './account.ts';

/** Which accounts to list; all given conditions must hold. Tombstones are never listed. */
export interface DirectoryFilter {
  /** Canonical email. */
  readonly email?: string;
  /** The tier in effect. */
  readonly tier?: string;
  /** What the canonical email begins with. Such a list is in the order of emails, not of times. */
  readonly emailBegins?: string;
  /** A ban that holds at this time, epoch milliseconds. */
  readonly bannedAt?: number;
  /** The same for a disablement. */
  readonly disabledAt?: number;
  readonly unverified?: true;
  readonly operator?: true;
  readonly twoFactor?: true;
  readonly premium?: true;
}

/** What a search may ask for: everything but a whole email. */
export type SearchFilter = Omit<DirectoryFilter, 'email'>;

/** Where a page begins: behind this account, in the order of times alone, or after so many. */
export type DirectoryStart = { readonly after: DirectoryPosition } | { readonly skip: number };

export interface DirectoryPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/** Where a search goes on: behind an email if the filter has `emailBegins`, else behind an account. */
export type DirectoryPlace = DirectoryPosition | string;

/** Part of a search. */
export interface Searched {
  readonly accounts: readonly Account[];
  /** Where it gave up, since it had looked at as many as it may; null if it found enough or came to the end. */
  readonly searchedTo: DirectoryPlace | null;
}

/** By what is rarest. */
const LEADS = [
  ...(['emailBegins', 'operator', 'bannedAt', 'disabledAt'] as const),
  ...(['twoFactor', 'premium', 'unverified', 'tier'] as const),
];
/** Every restriction that there is or was: it has an index, those that hold now have none. */
const EVER = 0;

/**
 * The part of a filter whose index a search follows. If it is not the whole of the filter, accounts are looked at that the
 * search does not find.
 */
export const leadOf = (filter: SearchFilter): { readonly lead: SearchFilter; readonly isWhole: boolean } => {
  const [name, ...others] = LEADS.filter((one) => filter[one] !== undefined);
  if (name === undefined) return { lead: {}, isWhole: true };
  if (name === 'bannedAt' || name === 'disabledAt') return { lead: { [name]: EVER }, isWhole: false };
  return { lead: { [name]: filter[name] }, isWhole: others.length === 0 };
};

export interface DirectoryStats {
  readonly total: number;
  readonly premium: number;
  readonly byTier: Readonly<Record<string, number>>;
  readonly verified: number;
  readonly twoFactor: number;
  readonly banned: number;
  readonly disabled: number;
}

/** Looks over all accounts: for operators. Newest first, then by id, the greatest first. */
export interface Directory {
  list(filter: DirectoryFilter, start: DirectoryStart, limit: number): Promise<readonly Account[]>;
  /**
   * The accounts behind a place (null: from the first on), in the order of `list`. It looks at no more than `looks`
   * accounts, so a filter that few of many meet ends early. Throws a `TypeError` for a place of the other order.
   */
  search(filter: SearchFilter, after: DirectoryPlace | null, limit: number, looks: number): Promise<Searched>;
  /** The same holds as of `stats`. */
  count(filter: DirectoryFilter): Promise<number>;
  /** Bans and disablements count that hold at `now`. Of many accounts it may be what was so within the last minute. */
  stats(now: number): Promise<DirectoryStats>;
  /** To be called every few seconds, by one process: counts anew what is not counted exactly. */
  recount(): Promise<void>;
}
