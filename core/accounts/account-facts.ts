import type { Account, Restriction } from './account.ts';
import { operatorRole } from './entitlement.ts';

/** What queries need of an account beside its record. Every store takes these facts from here. */
export interface AccountFacts {
  /** False for a tombstone: no list or count has it, and no email finds it. */
  readonly isListed: boolean;
  /** When an email that is not verified was registered, epoch milliseconds; null for others. */
  readonly unverifiedSince: number | null;
  /** Whether the relay has something to move on. */
  readonly isPending: boolean;
  /** Whether the KMS sealed anything in the account. */
  readonly isSealed: boolean;
  readonly hasTwoFactor: boolean;
  readonly isBilled: boolean;
  /** Until when a ban or a disablement holds, epoch milliseconds; 0 when there is none. */
  readonly bannedUntil: number;
  readonly disabledUntil: number;
  readonly isOperator: boolean;
  /** Emails by which it is found besides: those to which it can go back. */
  readonly formerEmails: readonly string[];
}

/** The end of a restriction that has none. */
const NEVER = Number.MAX_SAFE_INTEGER;

const endOf = (restriction: Restriction | null): number =>
  restriction === null ? 0 : (restriction.until ?? NEVER);

/** The facts by which stores find, list and count an account. */
export const accountFacts = (account: Account): AccountFacts => {
  const { verified, registeredAt, twoFactor, twoFactorSetup } = account;
  const isListed = account.deletedAt === null;
  return {
    isListed,
    unverifiedSince: isListed && !verified ? registeredAt : null,
    isPending: account.pending.length > 0,
    isSealed: (twoFactor?.secret ?? null) !== null || twoFactorSetup !== null,
    hasTwoFactor: twoFactor !== null,
    isBilled: account.billing !== null,
    bannedUntil: endOf(account.banned),
    disabledUntil: endOf(account.disabled),
    formerEmails: [...new Set(account.formerEmails.map(({ email }) => email))],
    isOperator: isListed && operatorRole(account.entitlements) !== undefined,
  };
};
