import { pagesOf } from '../pagination.ts';
import type { Account } from './account.ts';

/** The conditions for accounts in a list, all of which must hold. Tombstones are never listed. */
export interface DirectoryFilter {
  /** Canonical email. */
  readonly email?: string;
  /** The tier in effect. */
  readonly tier?: string;
  /** The beginning of the canonical email. Such a list is in the order of emails, not of times. */
  readonly emailBegins?: string;
  /** Accounts banned at this time, epoch milliseconds. */
  readonly bannedAt?: number;
  /** Accounts disabled at this time, epoch milliseconds. */
  readonly disabledAt?: number;
  readonly unverified?: true;
  readonly operator?: true;
  readonly twoFactor?: true;
  readonly premium?: true;
}

/** The filter of a search: every condition except a whole email. */
export type SearchFilter = Omit<DirectoryFilter, 'email'>;

/** The start of a page: after a number of accounts, or after an account (only in the order of times). */
export type DirectoryStart = { readonly after: DirectoryPosition } | { readonly skip: number };

export interface DirectoryPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/** The position where a search continues: after an email if the filter has `emailBegins`, else after an account. */
export type SearchPosition = DirectoryPosition | string;

/** A page of a search. */
export interface DirectorySearchResult {
  readonly accounts: readonly Account[];
  /** The position where the search stopped at its limit; null if it found enough or reached the end. */
  readonly searchedTo: SearchPosition | null;
}

const CONDITIONS_RAREST_FIRST = [
  'emailBegins',
  'operator',
  'bannedAt',
  'disabledAt',
  'twoFactor',
  'premium',
  'unverified',
  'tier',
] as const;
/** As `bannedAt` or `disabledAt` this matches all stored restrictions, also those that have ended: the index holds them all. */
const EVER = 0;

/**
 * The condition of a filter whose index a search follows. If it is not the whole filter, the search also looks at accounts
 * that do not match.
 */
export const leadOf = (filter: SearchFilter): { readonly lead: SearchFilter; readonly isWhole: boolean } => {
  const [name, ...others] = CONDITIONS_RAREST_FIRST.filter((field) => filter[field] !== undefined);
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

/** A count that the store kept wrong. */
export interface WrongCount {
  /** What was counted, such as `accounts tier=free premium=0 verified=1 two_factor=0`. */
  readonly name: string;
  /** How much it was too high; negative if it was too low. */
  readonly excess: number;
}

/** All accounts of a list in the order of times, a page at a time. */
export const directoryPages = (directory: Pick<Directory, 'list'>, filter: DirectoryFilter, size: number) =>
  pagesOf<Account>(size, (after, limit) =>
    directory.list(filter, after === null ? { skip: 0 } : { after }, limit),
  );

/** Lists and counts accounts for operators. The newest comes first, then the greatest id. */
export interface Directory {
  list(filter: DirectoryFilter, start: DirectoryStart, limit: number): Promise<readonly Account[]>;
  /**
   * Finds the accounts after a position (null: from the first), in the order of `list`. It reads no more than `maxReads`
   * accounts, so that a search which few accounts match ends, too. Throws a `TypeError` for a position of the other order.
   */
  search(
    filter: SearchFilter,
    after: SearchPosition | null,
    limit: number,
    maxReads: number,
  ): Promise<DirectorySearchResult>;
  /** Of many accounts the number may be up to a minute old, as in `stats`. */
  count(filter: DirectoryFilter): Promise<number>;
  /** Counts bans and disablements in force at `now`. Of many accounts the numbers may be up to a minute old. */
  stats(now: number): Promise<DirectoryStats>;
  /** Recounts the numbers that are not exact. One process must call it every few seconds. */
  recount(): Promise<void>;
  /**
   * Verifies the next page of the counts that the store keeps with its writes, of accounts and of files, while writes go on.
   * Null while pages follow. After the last one: the counts that were wrong, which are corrected by then. A store that keeps
   * no counts returns an empty list.
   */
  verifyCounts(): Promise<readonly WrongCount[] | null>;
}
