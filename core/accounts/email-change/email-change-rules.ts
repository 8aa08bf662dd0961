import type { Digest } from '../../ports.ts';
import type { Account, EmailChange } from '../account.ts';
import type { AuditValue } from '../outbox-entries.ts';
import type { AccountStore } from '../ports.ts';

const NEVER = 0;

/** The change without a valid code. The time of its request stays, for an undo of the next change. */
export const withoutCode = (change: EmailChange): EmailChange => ({ ...change, expiresAt: NEVER });
export const isVoid = ({ expiresAt }: EmailChange): boolean => expiresAt === NEVER;

/** A digest of an email for the audit log, whose readers need not know the address. */
export const auditedEmail = (digest: Digest, email: string): AuditValue => ({
  email: digest.keyed('audit-email', email),
});

/**
 * Frees an email for an account that has proved to own it: removes an unverified registration with this email. False if
 * a verified account has the email.
 */
export const freeEmail = async (
  accounts: Pick<AccountStore, 'findByEmail' | 'remove'>,
  { id }: Account,
  email: string,
): Promise<boolean> => {
  const holder = await accounts.findByEmail(email);
  if (holder === undefined || holder.id === id) return true;
  if (holder.verified) return false;
  // If the registration changes meanwhile, the following write fails, and the caller retries.
  await accounts.remove(holder);
  return true;
};
