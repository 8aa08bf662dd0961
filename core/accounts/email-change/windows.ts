import type { Digest } from '../../ports.ts';
import type { Account, EmailChange, FormerEmail } from '../account.ts';
import type { AuditValue } from '../pending.ts';
import type { AccountStore } from '../ports.ts';

/** The emails to which the account can go back now, the oldest first. */
export const openWindows = (
  { formerEmails }: Pick<Account, 'formerEmails'>,
  now: number,
): readonly FormerEmail[] => formerEmails.filter(({ until }) => until > now);

const NEVER = 0;

/** The change without a code that works. When it was asked for stays known, for an undo of the next one. */
export const voided = (change: EmailChange): EmailChange => ({ ...change, expiresAt: NEVER });
export const isVoid = ({ expiresAt }: EmailChange): boolean => expiresAt === NEVER;

/** An email as the audit log shows it: rows about a user are read by people who need not know the address. */
export const shownEmail = (digest: Digest, email: string): AuditValue => ({
  email: digest.keyed('audit-email', email),
});

/**
 * Whether the account may have the email. A registration that nobody verified gives way to who has proved that the email
 * is theirs; a verified account does not.
 */
export const makeWay = async (
  accounts: Pick<AccountStore, 'findByEmail' | 'remove'>,
  { id }: Account,
  email: string,
): Promise<boolean> => {
  const holder = await accounts.findByEmail(email);
  if (holder === undefined || holder.id === id) return true;
  if (holder.verified) return false;
  // If it changes meanwhile, the write that follows fails, and all is looked at anew.
  await accounts.remove(holder);
  return true;
};
