import { isoTime } from '../iso-times.ts';
import {
  type Account,
  completeAccount,
  restorableEmails,
  type StoredAccount,
  tombstoneOf,
} from './account.ts';
import type { Caller } from './caller.ts';
import { formatClaim } from './claim-login-keys.ts';
import { encodeClaim } from './custom-domain/domain-record.ts';
import type { Deps } from './deps.ts';
import { type TaskEntry, withPending } from './outbox-entries.ts';

/** The tasks that free something for other users. */
const FREEING: readonly TaskEntry['task'][] = ['free-domain', 'free-key'];

/** Includes recent former emails: a thief may have changed the email and deleted the account. */
const farewellRecipients = ({ email, language, formerEmails }: Account, now: number) => {
  const formerAddresses = restorableEmails({ formerEmails }, now).map((former) => former.email);
  // The email is empty in a tombstone whose sealed record (`toWaitingTombstone`) cannot be opened.
  const addresses = [...new Set([email, ...formerAddresses])].filter((address) => address !== '');
  return addresses.map((address) => ({ email: address, language }));
};

/**
 * Makes the tombstone of a deleted account, which nobody can sign in to, with the tasks and notices of the deletion. The
 * relay works through them, even after a crash.
 */
export const toTombstone = (
  { clock, entries, policy }: Pick<Deps, 'clock' | 'entries' | 'policy'>,
  account: Account,
  by: {
    readonly actor: string;
    readonly person?: string;
    readonly reason?: string;
    readonly address?: string;
    readonly caller: Pick<Caller, 'requestId'> | null;
  },
): Account => {
  const now = clock.now();
  // Earlier events, mails to other users (with `userId`) and tasks that free something must still be delivered; the user's
  // own pending mails and audit rows are erased with the rest.
  const unfinished = account.pending.filter(
    (entry) =>
      entry.kind === 'event' ||
      (entry.kind === 'mail' && entry.userId !== undefined) ||
      (entry.kind === 'task' && FREEING.includes(entry.task)),
  );
  const { customDomain, billing } = account;
  const customers = billing?.customers.map(({ id }) => id) ?? [];
  return withPending(
    { ...tombstoneOf(account, now), pending: unfinished },
    ...account.loginKeys.map((loginKey) => entries.task('free-key', formatClaim(loginKey))),
    ...(customDomain === null ? [] : [entries.task('free-domain', encodeClaim(customDomain))]),
    entries.task('end-sessions'),
    entries.task('erase-objects'),
    entries.task('erase-files'),
    entries.task('erase-mail'),
    entries.task('erase-audit'),
    ...farewellRecipients(account, now).map((to) =>
      entries.mail(to, 'account-deleted', { at: isoTime(now) }),
    ),
    entries.event('user.deleted', account.id),
    entries.audit({ action: 'account.deleted', target: account.id, ...by }),
    // The second task is for a checkout under way, which may create a customer at the provider after the first.
    ...(billing === null
      ? []
      : [
          entries.task('erase-billing', customers.join()),
          entries.taskIn(policy.checkoutLifeMs, 'erase-billing', customers.join()),
        ]),
  );
};

const contextOf = ({ id }: Account) => `deletion:${id}`;

/**
 * Makes the tombstone of an account whose email was changed lately. A thief may have changed the email and deleted the
 * account, so the owner can undo the deletion together with the change: the tombstone contains the sealed record. Nobody
 * can sign in to it. Two members stay outside the seal: the custom domain, since its claim lapses if no account names it, and
 * the second factor, since a rotation of the master key must find its secret. See decision 0092.
 */
export const toWaitingTombstone = (
  { clock, entries, sealer }: Pick<Deps, 'clock' | 'entries' | 'sealer'>,
  account: Account,
  caller: Caller,
): Account => {
  const now = clock.now();
  const formerEmails = restorableEmails(account, now);
  const until = Math.max(now, ...formerEmails.map((former) => former.until));
  const sealed = sealer.seal(JSON.stringify({ ...account, pending: [] }), contextOf(account));
  const untilTime = isoTime(until);
  return withPending(
    {
      ...tombstoneOf(account, now),
      customDomain: account.customDomain,
      twoFactor: account.twoFactor,
      formerEmails,
      waitingDeletion: { sealed },
      pending: account.pending,
    },
    entries.task('end-sessions'),
    entries.taskIn(until - now, 'finish-deletion', null),
    ...farewellRecipients(account, now).map((to) =>
      entries.notice(to, 'account-deletion-waits', caller, { until: untilTime }),
    ),
    entries.ownAudit(account.id, 'account.deletion_asked', caller, { after: { until: untilTime } }),
  );
};

/**
 * Restores the account from before a waiting deletion, at the version of its tombstone; undefined if no deletion waits, or
 * the seal cannot be opened. The account's sessions stay ended.
 */
export const restoreAccount = (
  { clock, sealer }: Pick<Deps, 'clock' | 'sealer'>,
  account: Account,
): Account | undefined => {
  const { waitingDeletion, version, sessionEpoch, customDomain, twoFactor, pending } = account;
  const record = waitingDeletion && sealer.open(waitingDeletion.sealed, contextOf(account));
  if (!record) return undefined;
  const before = completeAccount(JSON.parse(record) as StoredAccount);
  const now = clock.now();
  return {
    ...before,
    // The payment provider is asked at once: its events that arrived meanwhile found no account.
    ...(before.billing !== null && { billing: { ...before.billing, restoredAt: now }, billingDueAt: now }),
    version,
    sessionEpoch,
    // The domain may have lost its verification meanwhile.
    customDomain,
    // Its secret may be under another master key by now. Earlier releases left the second factor in the seal alone.
    twoFactor: twoFactor ?? before.twoFactor,
    keptSession: null,
    pending: pending.filter((entry) => entry.kind !== 'task' || entry.task !== 'finish-deletion'),
  };
};
