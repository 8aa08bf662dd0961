import { TRUE } from '../../answer-schemas.ts';
import { describedAs, flag, list, object, type TypeOf, text } from '../../schema.ts';
import { type Account, endSessions, type FormerEmail, restorableEmails, type TwoFactor } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { withKey, withoutKeys } from '../claim-login-keys.ts';
import { writeDecoy } from '../code-mail-limits.ts';
import { matchingDigest, readCrockford, TYPED_CODE } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { emailTaken, invalidCode } from '../errors.ts';
import { passkeyKey } from '../login-key.ts';
import { makeAddOperatorMails } from '../operators.ts';
import { emailChangedEntries, withPending } from '../outbox-entries.ts';
import { makeCodeAttempt } from '../registration/verification-attempts.ts';
import { endVoidedSessions } from '../sessions/list-and-end.ts';
import { usablePasskeys } from '../sign-in-methods.ts';
import { restoreAccount } from '../tombstone.ts';
import { auditedEmail, freeEmail } from './email-change-rules.ts';

export const undoEmailChangeInput = object({
  email: describedAs(EMAIL, 'The email address before the change'),
  code: TYPED_CODE,
});
/** The email that the account had before, and the code that was mailed to it. */
export type UndoEmailChangeInput = TypeOf<typeof undoEmailChangeInput>;

const removedByUndo = object(
  {
    passkeys: list(text({ examples: ['My phone'] }), { description: 'Their names' }),
    identities: list(text({ examples: ['google'] }), { description: 'Their providers' }),
    password: flag({
      description:
        'Whether the password was removed: it was set after the change was requested, or shortly before; or its ' +
        'second factor was removed',
      examples: [true],
    }),
    secondFactor: flag({
      description: 'Whether the second factor, a part of it or its recovery codes were removed',
      examples: [false],
    }),
  },
  { title: 'RemovedByUndo' },
);
/**
 * The sign-in methods that an undo removed, for the owner: the names of the passkeys, the providers of the identities,
 * whether it removed the password, and whether the second factor, a part of it or its recovery codes.
 */
export type RemovedByUndo = TypeOf<typeof removedByUndo>;

export const undoEmailChangeResult = object(
  {
    success: TRUE,
    removed: removedByUndo,
    deletionUndone: flag({
      description: 'Whether a deletion of the account was taken back, too',
      examples: [false],
    }),
  },
  { title: 'EmailChangeUndone' },
);
export type UndoEmailChangeResult = TypeOf<typeof undoEmailChangeResult>;

interface RestoredAccount {
  readonly account: Account;
  readonly removed: RemovedByUndo;
}

interface UndoOutcome extends RestoredAccount {
  readonly deletionUndone: boolean;
}

/** Whether the undo removes a method that was added at a time, by a session. */
type IsTakenBack = (at: number, by?: string) => boolean;

/** Keeps an older second factor, without newer recovery codes. A part without a time of its own counts as old. */
const factorBefore = (factor: TwoFactor | null, isTakenBack: IsTakenBack): TwoFactor | null => {
  if (factor === null || isTakenBack(factor.at ?? 0, factor.by)) return null;
  // Passkeys may have been the factor before the authenticator app was added: then only the app is removed.
  const before = isTakenBack(factor.totpAt ?? 0, factor.totpBy) ? { ...factor, secret: null } : factor;
  return isTakenBack(factor.recoveryAt ?? 0, factor.recoveryBy) ? { ...before, recovery: [] } : before;
};

/** Whether anything answers the factor: an authenticator app, a recovery code or a passkey of the account. */
const isAnswerable = (
  deps: Pick<Deps, 'passkeys'>,
  account: Account,
  { secret, recovery }: TwoFactor,
): boolean => secret !== null || recovery.length > 0 || usablePasskeys(deps, account).length > 0;

/** Removes the sign-in methods that a thief may have added, and those whose login keys other accounts have by now. */
const removeMethods = (
  deps: Pick<Deps, 'digest' | 'entries' | 'passkeys'>,
  account: Account,
  isTakenBack: IsTakenBack,
  lostKeys: readonly string[],
): RestoredAccount => {
  const { digest, entries } = deps;
  const { passwordAt, passwordBy, passwordHash, twoFactor } = account;
  const removedIdentities = account.oauthAccounts.filter(
    ({ createdAt, addedBy, key = '' }) =>
      isTakenBack(Date.parse(createdAt), addedBy) || lostKeys.includes(key),
  );
  const removedPasskeys = account.passkeys.filter(
    ({ createdAt, addedBy, credentialId }) =>
      isTakenBack(createdAt, addedBy) || lostKeys.includes(passkeyKey(digest, credentialId)),
  );
  const removedKeys = [
    ...removedIdentities.flatMap(({ key }) => key ?? []),
    ...removedPasskeys.map(({ credentialId }) => passkeyKey(digest, credentialId)),
  ];
  const remaining = {
    ...withoutKeys(entries, account, removedKeys),
    oauthAccounts: account.oauthAccounts.filter((identity) => !removedIdentities.includes(identity)),
    passkeys: account.passkeys.filter((passkey) => !removedPasskeys.includes(passkey)),
    twoFactorSetup: null,
    twoFactorSetupBy: null,
  };
  const factor = factorBefore(twoFactor, isTakenBack);
  // A thief may have removed the owner's passkeys. An older factor that nothing answers any more would lock the owner out.
  const losesFactor = factor !== null && !isAnswerable(deps, remaining, factor);
  // Without that factor, a thief who knows the password would get in. The owner sets a new one by a mailed code.
  const losesPassword =
    passwordHash !== null &&
    (losesFactor || (passwordAt !== null && isTakenBack(passwordAt, passwordBy ?? undefined)));
  return {
    account: {
      ...remaining,
      passwordHash: losesPassword ? null : passwordHash,
      twoFactor: losesFactor ? null : factor,
    },
    removed: {
      passkeys: removedPasskeys.map(({ name }) => name),
      identities: removedIdentities.map(({ provider }) => provider),
      password: losesPassword,
      secondFactor: losesFactor || factor !== twoFactor,
    },
  };
};

/**
 * Undoes a change of the email, and a deletion that followed it. Ends every session, and removes the sign-in methods that
 * were added since the change was requested, or shortly before: a thief may have prepared the change. See decision 0092.
 */
export const makeUndoEmailChange = (deps: Deps) => {
  const { accounts, change, clock, digest, domains, entries, keys, log, policy } = deps;
  const addOperatorMails = makeAddOperatorMails(deps);

  const findFormerEmail = (account: Account, email: string, typed: string): FormerEmail | undefined =>
    restorableEmails(account, clock.now()).find(
      (former) =>
        former.email === email &&
        matchingDigest(digest, 'email-undo', account.id, `${email}:${typed}`, [former.digest]) !== undefined,
    );

  /** Claims the login keys of a restored account. `lostKeys`: those that other accounts have claimed since. */
  const claimKeys = async (account: Account) => {
    let current = account;
    const lostKeys: string[] = [];
    for (const { key } of account.loginKeys) {
      const claim = await keys.claim(account, key);
      if (claim === 'taken') lostKeys.push(key);
      else current = withKey(current, claim);
    }
    return { account: current, lostKeys };
  };

  const restore = (
    account: Account,
    former: FormerEmail,
    caller: Caller,
    lostKeys: readonly string[],
  ): RestoredAccount => {
    const now = clock.now();
    const { formerEmails } = account;
    const { askedAt, by: changedBy, byNewMethod = false } = former;
    // The change and later ones are undone. Positions tell which came earlier: times are wrong if the clock was set back.
    const earlierEmails = formerEmails.slice(0, formerEmails.indexOf(former));
    const isTakenBack: IsTakenBack = (at, by) => {
      if (at >= askedAt) return true;
      const isFromShortlyBefore = at >= askedAt - policy.emailUndoReachMs;
      // With `byNewMethod`, the session that changed the email had signed in by a new method. A thief may have added that method
      // in another session, and further methods with it.
      const mayBeByThief = by !== undefined && (by === changedBy || byNewMethod);
      return isFromShortlyBefore && mayBeByThief;
    };
    const signedOut = endSessions(account, null);
    const { account: remaining, removed } = removeMethods(deps, signedOut, isTakenBack, lostKeys);
    const next = withPending(
      {
        ...remaining,
        email: former.email,
        emailChange: null,
        formerEmails: restorableEmails({ formerEmails: earlierEmails }, now),
        verification: null,
        reset: null,
        knownAddresses: [],
        updatedAt: now,
      },
      entries.task('end-sessions'),
      ...emailChangedEntries(deps, account),
      entries.ownAudit(account.id, 'email.change_undone', caller, {
        before: auditedEmail(digest, account.email),
        after: {
          ...auditedEmail(digest, former.email),
          passkeysRemoved: removed.passkeys.length,
          identitiesRemoved: removed.identities.length,
          passwordRemoved: removed.password,
          secondFactorRemoved: removed.secondFactor,
        },
      }),
    );
    return { account: next, removed };
  };

  return async (input: UndoEmailChangeInput, caller: Caller): Promise<UndoEmailChangeResult> => {
    const email = canonicalEmail(domains, input.email);
    const typed = readCrockford(input.code);
    const candidates = await accounts.listByFormerEmail(email);
    const owner = candidates.find((account) => findFormerEmail(account, email, typed) !== undefined);
    // Counted separately from wrong codes of the email's current owner.
    const attempted = { email, userId: undefined, client: caller.client };
    const logFields = { ...(owner && { userId: owner.id }), ...calledFrom(caller) };
    const attempt = makeCodeAttempt(deps, attempted, 'email.undo_failed', logFields);
    // A valid code bypasses the lockout: nobody guesses fifty bits, and a thief could lock the owner out forever.
    if (owner === undefined) await attempt.requireAllowance();

    const undo = async (stored: Account | undefined): Promise<Decision<UndoOutcome>> => {
      const isDeleted = stored !== undefined && stored.deletedAt !== null;
      const account = isDeleted ? restoreAccount(deps, stored) : stored;
      const former = account && findFormerEmail(account, email, typed);
      if (stored === undefined || account === undefined || former === undefined) {
        // A refusal costs a write, whether the email ever had an account or not.
        await writeDecoy(deps, email);
        return { next: null, refuse: invalidCode() };
      }
      if (!(await freeEmail(accounts, account, email))) return { next: null, refuse: emailTaken() };
      const claim = isDeleted ? await claimKeys(account) : { account, lostKeys: [] };
      const restored = restore(claim.account, former, caller, claim.lostKeys);
      // An undone deletion restores the operator role.
      const next = await addOperatorMails(stored, restored.account, {
        actor: account.id,
        address: caller.address,
      });
      return { next, answer: { ...restored, deletionUndone: isDeleted } };
    };

    const find = async () => (owner === undefined ? undefined : accounts.find(owner.id));
    const { account, removed, deletionUndone } = await change(find, undo).catch(attempt.countWrong);
    log.info('email.change_undone', { ...logFields, ...(deletionUndone && { reason: 'deletion_undone' }) });
    await endVoidedSessions(deps, account);
    return { success: true, removed, deletionUndone };
  };
};
