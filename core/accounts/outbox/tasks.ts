import { isId } from '../../ids.ts';
import { type Account, restorableEmails } from '../account.ts';
import { parseClaim } from '../claim-login-keys.ts';
import { makeDomainRecords } from '../custom-domain/change-domain-record.ts';
import { decodeClaim } from '../custom-domain/domain-record.ts';
import type { Deps } from '../deps.ts';
import { type TaskEntry, withPending } from '../outbox-entries.ts';
import { endWithChildren } from '../sessions/parent-session.ts';
import { restoreAccount, toTombstone } from '../tombstone.ts';
import { readContent, walkAudit } from './audit-rows.ts';

/** The actions of rows about a user that an erasure keeps: they record the deletion, and the erasure itself. */
const KEPT_ACTIONS = ['account.deleted', 'audit.erased'];

type Task = (account: Account, entry: TaskEntry) => Promise<unknown>;

/** The tasks that changes of accounts leave behind, by name. Each task is idempotent. */
export const makeTasks = (deps: Deps): Readonly<Record<TaskEntry['task'], Task>> => {
  const { accounts, appendAudit, audit, change, clock, entries, keys, log } = deps;
  const { objects, outbox, sessions, userBilling, userFiles } = deps;
  const records = makeDomainRecords(deps);

  return {
    'end-sessions': ({ id, keptSession, sessionEpoch }) =>
      sessions.endAll(id, { keep: keptSession, beforeVersion: sessionEpoch }, clock.now()),
    'end-session': async ({ id }, { subject }) => {
      if (subject !== null) await endWithChildren(deps, id, subject);
    },
    'remove-object': async (account, { subject }) => {
      // Keeps the object if it is the avatar again: the owner may have restored it.
      if (subject !== null && account.avatar !== subject) await objects.remove(subject);
    },
    'free-domain': async (_account, { subject }) => {
      if (subject !== null) await records.free(decodeClaim(subject));
    },
    'free-key': async (account, { subject }) => {
      if (subject !== null) await keys.free(account, parseClaim(subject));
    },
    'finish-deletion': ({ id }) =>
      change<void>(
        () => accounts.find(id),
        (account) => {
          // An undo may have come first.
          if (!account?.waitingDeletion) return { next: null, answer: undefined };
          const now = clock.now();
          const waitMs = Math.max(0, ...restorableEmails(account, now).map(({ until }) => until - now));
          if (waitMs > 0) {
            // The task is early if the clock was set back, or if it belongs to an earlier deletion.
            const next = withPending(account, entries.taskIn(waitMs, 'finish-deletion', null));
            return { next, answer: undefined };
          }
          const by = { actor: id, caller: null };
          const before = restoreAccount(deps, account);
          if (before !== undefined) return { next: toTombstone(deps, before, by), answer: undefined };
          // The hash key that sealed the data is missing, so `toTombstone` sees no billing and adds no task that erases it. The
          // task added here erases billing by the user's id alone, as the provider's ids of the customer are unknown.
          log.error('account.deletion_unopenable', { userId: id });
          const next = withPending(toTombstone(deps, account, by), entries.task('erase-billing', ''));
          return { next, answer: undefined };
        },
      ),
    'erase-objects': ({ id }) => objects.removeAll(id),
    'erase-files': ({ id }) => userFiles.removeAll(id),
    // Keeps the mail about the deletion, which may not be sent yet.
    'erase-mail': ({ id }) => outbox.removeFor(id, 'account-deleted'),
    // The subject lists the provider's ids of the customer; it may be empty.
    'erase-billing': ({ id }, { subject }) =>
      userBilling.forget(id, (subject ?? '').split(',').filter(Boolean)),
    'change-billing-email': async ({ id, email }) => {
      // A deleted account has none.
      if (email !== '') await userBilling.changeEmail(id, email);
    },
    'erase-audit': async ({ id, pending, deletedAt }, entry) => {
      // Only a deletion creates this task. On any other account, somebody with access to the store has planted it to make this
      // program erase rows and sign the erasure, so the task is dropped. `isId` protects rows about names such as `system`.
      if (deletedAt === null || !isId(id)) {
        log.error('audit.erasure_refused', { userId: id });
        return;
      }
      const keptEntryIds: string[] = [];
      for await (const row of walkAudit(deps, id))
        if (row.target === id && KEPT_ACTIONS.includes(readContent(row)?.action ?? ''))
          keptEntryIds.push(row.entryId);
      // Also keeps the rows of pending entries (of the deletion and of this erasure): another process may write them just now.
      const rows = await audit.eraseAbout(id, [...keptEntryIds, ...pending.map((other) => other.id)]);
      const row = entries.audit({
        action: 'audit.erased',
        actor: 'system',
        target: id,
        after: { rows },
        caller: null,
      });
      // With the id of the task, so that the log has the row once even if the task runs again.
      await appendAudit({ ...row, id: entry.id, at: entry.at });
    },
  };
};
