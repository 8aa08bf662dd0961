import { CoreError } from '../../errors.ts';
import { type Account, endSessions, type FormerEmail, type TwoFactor } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { matchingDigest, readCrockford } from '../codes.ts';
import { canonicalEmail } from '../email.ts';
import { emailTaken, held, invalidCode } from '../errors.ts';
import { withoutKeys } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { writeDecoy } from '../sign-in/decoy-write.ts';
import { makeVerificationTries } from '../sign-in/verification-tries.ts';
import { passkeyKey } from '../ways-in/login-key.ts';
import { makeWay, openWindows, shownEmail } from './windows.ts';

export interface UndoEmailChange {
  /** The email that the account had before. */
  readonly email: string;
  /** The code that was mailed to it. */
  readonly code: string;
}

/** A factor from before stays, without recovery codes that were made since. */
const factorBefore = (factor: TwoFactor | null, since: number): TwoFactor | null => {
  if (factor === null || (factor.at ?? 0) >= since) return null;
  // An app that joined passkeys since goes, and the passkeys stay the factor.
  const before = (factor.totpAt ?? 0) >= since ? { ...factor, secret: null } : factor;
  return (factor.recoveryAt ?? 0) >= since ? { ...before, recovery: [] } : before;
};

/** The account without what came after a time: ways to log in that who changed the email may have added. */
const without = (
  { digest, entries }: Pick<Kit, 'digest' | 'entries'>,
  account: Account,
  since: number,
): Account => {
  const { passwordAt, twoFactor } = account;
  const identities = account.oauthAccounts.filter(({ createdAt }) => Date.parse(createdAt) >= since);
  const passkeys = account.passkeys.filter(({ createdAt }) => createdAt >= since);
  const keys = [
    ...identities.flatMap(({ key }) => key ?? []),
    ...passkeys.map(({ credentialId }) => passkeyKey(digest, credentialId)),
  ];
  return {
    ...withoutKeys(entries, account, keys),
    oauthAccounts: account.oauthAccounts.filter((one) => !identities.includes(one)),
    passkeys: account.passkeys.filter((one) => !passkeys.includes(one)),
    passwordHash: passwordAt !== null && passwordAt >= since ? null : account.passwordHash,
    twoFactor: factorBefore(twoFactor, since),
    twoFactorSetup: null,
    twoFactorSetupBy: null,
  };
};

/**
 * Takes a change of email back, by the code that was mailed to the old one. Ends every session, and removes the ways to
 * log in that were added since the change was asked for. A second factor from before stays.
 */
export const makeUndoEmailChange = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, entries, log, sessions, wake } = kit;
  const tries = makeVerificationTries(kit);

  const windowOf = (account: Account, email: string, typed: string): FormerEmail | undefined =>
    openWindows(account, clock.now()).find(
      (former) =>
        former.email === email &&
        matchingDigest(digest, 'email-undo', account.id, `${email}:${typed}`, [former.digest]) !== undefined,
    );

  const restored = (account: Account, former: FormerEmail, caller: Caller): Account => {
    const now = clock.now();
    const { formerEmails } = account;
    // By their order: times lie if the clock was set back.
    const before = formerEmails.slice(0, formerEmails.indexOf(former));
    return withPending(
      {
        ...without(kit, endSessions(account, null), former.askedAt),
        email: former.email,
        emailChange: null,
        formerEmails: openWindows({ formerEmails: before }, now),
        verification: null,
        reset: null,
        knownAddresses: [],
        updatedAt: now,
      },
      entries.task('end-sessions'),
      entries.event('user.email_changed', account.id),
      entries.audit({
        action: 'email.change_undone',
        actor: account.id,
        target: account.id,
        before: shownEmail(digest, account.email),
        after: shownEmail(digest, former.email),
        caller,
      }),
    );
  };

  return async (input: UndoEmailChange, caller: Caller): Promise<{ readonly success: true }> => {
    const email = canonicalEmail(domains, input.email);
    const typed = readCrockford(input.code);
    const candidates = await accounts.listByFormerEmail(email);
    const owner = candidates.find((account) => windowOf(account, email, typed) !== undefined);
    // Counted apart from wrong codes of whoever has the email now.
    const codeTry = { email, userId: undefined, client: caller.client };
    const from = { ...(owner && { userId: owner.id }), ...calledFrom(caller) };
    const refuseHeld = (until: number) => {
      log.warn('verification.held', from);
      return held('verification_held', until, clock.now());
    };
    // Whoever has the code is let through: nobody guesses fifty bits, and a taker could hold the owner off for good.
    const heldUntil = owner === undefined ? await tries.heldUntil(codeTry) : undefined;
    if (heldUntil !== undefined) throw refuseHeld(heldUntil);

    const take = async (account: Account | undefined): Promise<Decision<Account>> => {
      const former = account && windowOf(account, email, typed);
      if (account === undefined || former === undefined) {
        await writeDecoy(kit, email);
        return { next: null, refuse: invalidCode() };
      }
      if (!(await makeWay(accounts, account, email))) return { next: null, refuse: emailTaken() };
      const next = restored(account, former, caller);
      return { next, answer: next };
    };

    const find = async () => (owner === undefined ? undefined : accounts.find(owner.id));
    const account = await change(find, take).catch(async (error: unknown) => {
      if (!(error instanceof CoreError) || error.code !== 'invalid_code') throw error;
      log.info('email.undo_failed', { reason: error.code, ...from });
      const until = await tries.add(codeTry);
      throw until === undefined ? error : refuseHeld(until);
    });
    log.info('email.change_undone', from);
    await sessions
      .endAll(account.id, { keep: null, beforeEpoch: account.sessionEpoch }, clock.now())
      .catch(wake);
    return { success: true };
  };
};
