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
}

/** Where a page begins: behind this account, in the order of times alone, or after so many. */
export type DirectoryStart = { readonly after: DirectoryPosition } | { readonly skip: number };

export interface DirectoryPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

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
  /** The same holds as of `stats`. */
  count(filter: DirectoryFilter): Promise<number>;
  /** Bans and disablements count that hold at `now`. Of many accounts it may be what was so within the last minute. */
  stats(now: number): Promise<DirectoryStats>;
  /** To be called every few seconds, by one process: counts anew what is not counted exactly. */
  recount(): Promise<void>;
}
