import type { Account } from './account.ts';

/** Which accounts to list; all given conditions must hold. Tombstones are never listed. */
export interface DirectoryFilter {
  /** Canonical email. */
  readonly email?: string;
  /** The tier in effect. */
  readonly tier?: string;
}

/** Where a page begins: behind this account, or after so many. */
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
  count(filter: DirectoryFilter): Promise<number>;
  /** Bans and disablements count that hold at `now`. */
  stats(now: number): Promise<DirectoryStats>;
}
