import type { Digest } from '../../ports.ts';
import type { EmailChange } from '../account.ts';
import type { AuditValue } from '../outbox-entries.ts';

const NEVER = 0;

/** The change without a valid code. The time of its request stays, for an undo of the next change. */
export const withoutCode = (change: EmailChange): EmailChange => ({ ...change, expiresAt: NEVER });
export const isVoid = ({ expiresAt }: EmailChange): boolean => expiresAt === NEVER;

/** A digest of an email for the audit log, whose readers need not know the address. */
export const auditedEmail = (digest: Digest, email: string): AuditValue => ({
  email: digest.keyed('audit-email', email),
});
