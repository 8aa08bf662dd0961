import { CoreError } from '../../errors.ts';
import { type Account, endSessions, type ResetCode } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { afterWrongTry, matchingDigest, readCrockford } from '../codes.ts';
import { canonicalEmail } from '../email.ts';
import { invalidCode } from '../errors.ts';
import { forgetOtherAddresses, hashedFor, knownAddress, passwordTriesKeys } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { writeDecoy } from './decoy-write.ts';
import { acceptPassword, refuseCommon } from './password.ts';

export interface ConfirmPasswordReset {
  readonly email: string;
  readonly code: string;
  readonly newPassword: string;
}

/** The account with its new password, and where wrong ones were counted so far. */
interface Reset {
  readonly account: Account;
  readonly heldBy: readonly string[];
}

/** Whether a caller's wrong tries at the code are counted among those of strangers. */
const isApart = ({ strangersTries }: ResetCode, known: string | undefined) =>
  known === undefined && strangersTries !== null;

const isShut = (code: ResetCode, known: string | undefined, triesPerCode: number) =>
  isApart(code, known) && (code.strangersTries ?? 0) >= triesPerCode;

/**
 * The code after a wrong try. Five by strangers shut strangers out of a code that the owner's own address asked for,
 * which stays good there; any other code five wrong tries void.
 */
const afterWrongReset = (code: ResetCode, known: string | undefined, triesPerCode: number) =>
  isApart(code, known)
    ? { ...code, strangersTries: (code.strangersTries ?? 0) + 1 }
    : afterWrongTry(code, triesPerCode);

export const makeConfirmPasswordReset = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, entries, hasher, log, policy, sessions, tries, wake } =
    kit;

  return async (input: ConfirmPasswordReset, caller: Caller): Promise<{ readonly success: true }> => {
    const email = canonicalEmail(domains, input.email);
    const password = await acceptPassword(kit, input.newPassword, { email, displayName: null });
    const typed = readCrockford(input.code);
    let hash: string | undefined;

    const take = async (found: Account | undefined): Promise<Decision<Reset>> => {
      const now = clock.now();
      const code = found?.reset ?? null;
      const known = found && knownAddress(digest, policy, found, caller.client, now);
      const isDead = code === null || code.expiresAt <= now || isShut(code, known, policy.triesPerCode);
      if (found === undefined || isDead) {
        await writeDecoy(kit, email);
        return { next: null, refuse: invalidCode() };
      }
      if (matchingDigest(digest, 'reset', found.id, typed, [code.digest]) === undefined) {
        const reset = afterWrongReset(code, known, policy.triesPerCode);
        return { next: { ...found, reset }, refuse: invalidCode() };
      }
      // Only now, since the refusal tells of the name; the code stays good.
      await refuseCommon(kit, password, found);
      hash ??= await hasher.hash(password, hashedFor(kit, email, found, caller));
      const at = new Date(now).toISOString();
      const forgotten = forgetOtherAddresses(digest, found, caller.client);
      const changed = {
        ...endSessions(forgotten, null),
        passwordHash: hash,
        passwordAt: now,
        reset: null,
        updatedAt: now,
      };
      const row = entries.audit({ action: 'password.reset', actor: found.id, target: found.id, caller });
      const notice = entries.mail(found, 'password-changed', { at, address: caller.address });
      const next = withPending(changed, entries.task('end-sessions'), row, notice);
      return { next, answer: { account: next, heldBy: passwordTriesKeys(digest, found) } };
    };

    let userId: string | undefined;
    const find = async () => {
      const account = await accounts.findByEmail(email);
      userId = account?.id;
      return account;
    };
    const { account, heldBy } = await change(find, take).catch((error: unknown) => {
      if (error instanceof CoreError && error.kind === 'unauthenticated') {
        log.info('password.reset_failed', { ...(userId !== undefined && { userId }), ...calledFrom(caller) });
      }
      throw error;
    });
    log.info('password.reset', { userId: account.id, ...calledFrom(caller) });
    await Promise.all([
      // They are cut off already, and the relay ends what this cannot.
      sessions.endAll(account.id, { keep: null, beforeEpoch: account.sessionEpoch }, clock.now()).catch(wake),
      tries.remove(heldBy),
    ]);
    return { success: true };
  };
};
