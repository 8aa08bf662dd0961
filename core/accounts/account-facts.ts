import type { Account, Restriction } from './account.ts';
import { operatorRole } from './entitlement.ts';

/** The facts about an account that queries need beside its record. Every store derives them by `accountFacts`. */
export interface AccountFacts {
  /** False for a tombstone: lists and counts omit it. While its deletion waits, only a former email finds it. */
  readonly isListed: boolean;
  /** When an email that is not verified was registered, epoch milliseconds; null for others. */
  readonly unverifiedSince: number | null;
  /** Whether outbox entries of the account wait for their delivery. */
  readonly isPending: boolean;
  /** Whether the account holds a secret sealed by the KMS, also while its deletion waits. */
  readonly isSealed: boolean;
  readonly hasTwoFactor: boolean;
  readonly isBilled: boolean;
  /** The end of a ban or a disablement, epoch milliseconds; 0 without one. */
  readonly bannedUntil: number;
  readonly disabledUntil: number;
  readonly isOperator: boolean;
  /** Former emails, by which the account is found, too. Callers check whether it can still return to them. */
  readonly formerEmails: readonly string[];
}

/** The end of a restriction without a time limit. */
const NEVER = Number.MAX_SAFE_INTEGER;

const endOf = (restriction: Restriction | null): number =>
  restriction === null ? 0 : (restriction.until ?? NEVER);

export const accountFacts = (account: Account): AccountFacts => {
  const { verified, registeredAt, twoFactor, twoFactorSetup } = account;
  const isListed = account.deletedAt === null;
  return {
    isListed,
    unverifiedSince: isListed && !verified ? registeredAt : null,
    isPending: account.pending.length > 0,
    // Where passkeys alone are the second factor, `secret` is null.
    isSealed: (twoFactor?.secret ?? null) !== null || twoFactorSetup !== null,
    hasTwoFactor: isListed && twoFactor !== null,
    isBilled: account.billing !== null,
    bannedUntil: endOf(account.banned),
    disabledUntil: endOf(account.disabled),
    formerEmails: [...new Set(account.formerEmails.map(({ email }) => email))],
    isOperator: isListed && operatorRole(account.entitlements) !== undefined,
  };
};

/** The first account with each email: if several are added together, the first one gets the email. */
export const firstOfEachEmail = (accounts: readonly Account[]): readonly Account[] => {
  const firstByEmail = new Map<string, Account>();
  for (const account of accounts) {
    if (!firstByEmail.has(account.email)) firstByEmail.set(account.email, account);
  }
  return [...firstByEmail.values()];
};
