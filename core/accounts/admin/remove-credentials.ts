import { isoTime } from '../../iso-times.ts';
import { endSessions } from '../account.ts';
import { passkeyNotFound } from '../passkeys/errors.ts';
import { withoutPasskey } from '../passkeys/manage-passkeys.ts';
import { providerName } from '../providers/identities.ts';
import { findIdentity, type IdentityName, withoutIdentity } from '../providers/link-identity.ts';
import { defineAction } from './admin-action.ts';

/** Removes the second factor and ends all sessions (null: none is kept). */
export const resetTwoFactor = defineAction(({ entries }, account, now) => {
  if (account.twoFactor === null) return undefined;
  const withoutFactor = { ...account, twoFactor: null, twoFactorSetup: null, twoFactorSetupBy: null };
  return {
    next: endSessions(withoutFactor, null),
    before: { twoFactor: true },
    after: { twoFactor: false },
    also: [entries.task('end-sessions'), entries.mail(account, 'two-factor-off', { at: isoTime(now) })],
  };
});

/** Removes a passkey, even the last sign-in method: the owner can still sign in after a password reset. */
export const removePasskey = defineAction((deps, account, now, id: string) => {
  const passkey = account.passkeys.find((candidate) => candidate.id === id);
  if (passkey === undefined) throw passkeyNotFound();
  const facts = { at: isoTime(now), passkey: passkey.name };
  return {
    next: withoutPasskey(deps, account, passkey),
    before: { passkey: id },
    also: [deps.entries.mail(account, 'passkey-removed', facts)],
  };
});

/** Removes an identity, even the last sign-in method: the owner can still sign in after a password reset. */
export const unlinkIdentity = defineAction((deps, account, now, name: IdentityName) => {
  const identity = findIdentity(account, name);
  if (identity === undefined) return undefined;
  const facts = { at: isoTime(now), provider: providerName(deps, identity.provider) };
  return {
    next: withoutIdentity(deps, account, identity),
    before: { provider: identity.provider },
    also: [deps.entries.mail(account, 'identity-unlinked', facts)],
  };
});
