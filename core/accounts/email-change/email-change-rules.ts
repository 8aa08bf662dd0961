import type { Digest } from '../../ports.ts';
import type { Account, EmailChange } from '../account.ts';
import type { AuditValue } from '../outbox-entries.ts';
import type { AccountStore } from '../ports.ts';
import type { Method } from '../session.ts';

/** The expiry of a void code. */
const VOID = 0;

/** The change with its code void. It stays because of `since`, which the next request takes over within a day. */
export const withoutCode = (change: EmailChange): EmailChange => ({ ...change, expiresAt: VOID });
export const isVoid = ({ expiresAt }: EmailChange): boolean => expiresAt === VOID;

/** A digest of an email for the audit log, whose readers need not know the address. */
export const auditedEmail = (digest: Digest, email: string): AuditValue => ({
  email: digest.keyed('audit-email', email),
});

/** The methods of an account, with the time and the session (`by`; undefined for none) that added each. */
const addedMethods = ({ oauthAccounts, passkeys, passwordAt, passwordBy, twoFactor }: Account) => [
  { method: 'password', at: passwordAt ?? 0, by: passwordBy ?? undefined },
  ...passkeys.map(({ createdAt, addedBy }) => ({ method: 'passkey', at: createdAt, by: addedBy })),
  ...oauthAccounts.map(({ createdAt, addedBy }) => ({
    method: 'oidc',
    at: Date.parse(createdAt),
    by: addedBy,
  })),
  // Recovery codes, and often TOTP, come with the second factor (`at`); either may also be added or renewed later.
  { method: 'totp', at: twoFactor?.at, by: twoFactor?.by },
  { method: 'totp', at: twoFactor?.totpAt, by: twoFactor?.totpBy },
  { method: 'recovery', at: twoFactor?.at, by: twoFactor?.by },
  { method: 'recovery', at: twoFactor?.recoveryAt, by: twoFactor?.recoveryBy },
];

/**
 * True if a sign-in by `methods` may have used a method that was added since the given time, in a session. A sign-in records only
 * the kind of each method: for a sign-in by passkey, every passkey added since then counts.
 */
export const usesNewMethod = (account: Account, methods: readonly Method[], since: number): boolean =>
  addedMethods(account).some(
    ({ method, at = 0, by }) => by !== undefined && at >= since && methods.some((used) => used === method),
  );

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
  // If the registration changes meanwhile, it stays; the caller's write of the email then conflicts, and the caller retries.
  await accounts.remove(holder);
  return true;
};
