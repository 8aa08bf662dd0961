import type { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import type { AccountsPolicy } from '../policy.ts';
import { timeSince } from '../session.ts';
import { isUsable } from '../sign-in-methods.ts';
import type { VerifiedAssertion } from './check-assertion.ts';
import { invalidPasskey } from './errors.ts';
import type { Passkey } from './passkey.ts';

/** The account with the data of the assertion (the same object if nothing changed), or the refusal. */
export type UsedPasskey =
  | { readonly next: Account; readonly refuse: null }
  | { readonly next: Account | null; readonly refuse: CoreError };

/** Authenticators without a counter always send 0. */
const hasGrown = ({ counter }: Passkey, now: number): boolean =>
  now > counter || (counter === 0 && now === 0);

const replaced = (account: Account, passkey: Passkey): Account => ({
  ...account,
  passkeys: account.passkeys.map((other) => (other.id === passkey.id ? passkey : other)),
});

/** The passkey with the data of the assertion; the same object if nothing changed. */
const noted = (
  policy: AccountsPolicy,
  passkey: Passkey,
  asserted: VerifiedAssertion,
  now: number,
): Passkey => {
  const counter = hasGrown(passkey, asserted.counter) ? asserted.counter : passkey.counter;
  const userVerified = passkey.userVerified || asserted.userVerified;
  const { backedUp } = asserted;
  const isNews =
    counter !== passkey.counter ||
    backedUp !== passkey.backedUp ||
    userVerified !== passkey.userVerified ||
    timeSince(passkey.lastUsedAt ?? 0, now) > policy.passkeyUseEvery;
  return isNews ? { ...passkey, counter, backedUp, userVerified, lastUsedAt: now } : passkey;
};

/**
 * Records the use of a passkey in its account, as part of the caller's conditional write. A counter that did not grow is
 * a sign of a clone: a passkey that may be backed up is only recorded as cloned, any other is refused from then on. See
 * decision 0098.
 */
export const recordPasskeyUse = (
  deps: Pick<Deps, 'clock' | 'entries' | 'log' | 'passkeys' | 'policy'>,
  account: Account,
  asserted: VerifiedAssertion,
  caller: Caller,
): UsedPasskey => {
  const { clock, entries, log, policy } = deps;
  const { credentialId, counter } = asserted;
  const passkey = account.passkeys.find((candidate) => candidate.credentialId === credentialId);
  if (account.id !== asserted.userId || passkey === undefined || !isUsable(deps, passkey))
    return { next: null, refuse: invalidPasskey() };
  const now = clock.now();
  const used = noted(policy, passkey, asserted, now);
  if (hasGrown(passkey, counter))
    return { next: used === passkey ? account : replaced(account, used), refuse: null };

  log.warn('passkey.counter_regressed', { userId: account.id, ...calledFrom(caller) });
  const row = entries.ownAudit(account.id, 'passkey.counter_regressed', caller, {
    before: { passkey: passkey.id, counter: passkey.counter },
    after: { counter },
  });
  if (passkey.backupEligible) return { next: withPending(replaced(account, used), row), refuse: null };
  const notice = entries.notice(account, 'passkey-copied', caller, { passkey: passkey.name });
  const next = withPending(replaced(account, { ...passkey, refusedAt: now }), row, notice);
  return { next, refuse: invalidPasskey() };
};
