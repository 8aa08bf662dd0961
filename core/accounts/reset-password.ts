import { CoreError } from '../errors.ts';
import type { Account } from './account.ts';
import { endSessions } from './account.ts';
import type { Decision } from './change-account.ts';
import { afterWrongTry, codeDigest, grouped, matchingDigest, newCrockford, readCrockford } from './codes.ts';
import { canonicalEmail } from './email.ts';
import { withPending } from './entries.ts';
import { invalidCode } from './errors.ts';
import { accountKey, passwordTriesKeys } from './keys.ts';
import type { Kit } from './kit.ts';
import { type Caller, calledFrom } from './needs.ts';
import { acceptPassword } from './password.ts';

export interface RequestPasswordReset {
  readonly email: string;
}

export interface ConfirmPasswordReset {
  readonly email: string;
  readonly code: string;
  readonly newPassword: string;
}

/** Mails a reset code to a verified account. The answer is the same for every email. */
export const makeRequestPasswordReset = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, entries, policy, random, tries } = kit;

  return async (input: RequestPasswordReset): Promise<{ readonly message: string }> => {
    const email = canonicalEmail(domains, input.email);
    const mailed = await change<boolean>(
      () => accounts.findByEmail(email),
      (account) => {
        if (!account?.verified) return { next: null, answer: false };
        const code = newCrockford(random, 10);
        const reset = {
          digest: codeDigest(digest, 'reset', account.id, code),
          expiresAt: clock.now() + policy.resetCodeLife,
          tries: 0,
        };
        const facts = { minutes: String(Math.round(policy.resetCodeLife / 60_000)) };
        const mail = entries.mail(account, 'reset', facts, grouped(code, 5));
        return { next: withPending({ ...account, reset }, mail), answer: true };
      },
    );
    // A write like the other one, so that the time tells nothing of whether the email has an account.
    if (!mailed) await tries.add(`nobody:${accountKey(digest, email)}`, 1, clock.now());
    return { message: 'If there is an account with this email, a code is on its way to it.' };
  };
};

/**
 * Sets a new password with an emailed code, ends every session and every hold on the password. The second factor
 * stays on. Throws `unauthenticated` (`invalid_code`), `invalid` for a password that breaks a rule.
 */
export const makeConfirmPasswordReset = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, entries, hasher, log, policy, sessions, tries } = kit;

  return async (input: ConfirmPasswordReset, caller: Caller): Promise<{ readonly success: true }> => {
    const email = canonicalEmail(domains, input.email);
    const password = await acceptPassword(kit, input.newPassword);
    const typed = readCrockford(input.code);
    let hash: string | undefined;

    const take = async (found: Account | undefined): Promise<Decision<Account>> => {
      const now = clock.now();
      const code = found?.reset ?? null;
      if (found === undefined || code === null || code.expiresAt <= now)
        return { next: null, refuse: invalidCode() };
      if (matchingDigest(digest, 'reset', found.id, typed, [code.digest]) === undefined) {
        return { next: { ...found, reset: afterWrongTry(code, policy.triesPerCode) }, refuse: invalidCode() };
      }
      hash ??= await hasher.hash(password);
      const at = new Date(now).toISOString();
      const changed = { ...endSessions(found, null), passwordHash: hash, reset: null, updatedAt: now };
      const row = entries.audit({ action: 'password.reset', actor: found.id, target: found.id, caller });
      const notice = entries.mail(found, 'password-changed', { at, address: caller.address });
      const next = withPending(changed, entries.task('end-sessions'), row, notice);
      return { next, answer: next };
    };

    let userId: string | undefined;
    const find = async () => {
      const account = await accounts.findByEmail(email);
      userId = account?.id;
      return account;
    };
    const account = await change(find, take).catch((error: unknown) => {
      if (error instanceof CoreError && error.kind === 'unauthenticated') {
        log.info('password.reset_failed', { ...(userId !== undefined && { userId }), ...calledFrom(caller) });
      }
      throw error;
    });
    await Promise.all([
      sessions.endAll(account.id, { keep: null, beforeEpoch: account.sessionEpoch }, clock.now()),
      tries.remove(passwordTriesKeys(digest, account)),
    ]);
    log.info('password.reset', { userId: account.id, ...calledFrom(caller) });
    return { success: true };
  };
};
