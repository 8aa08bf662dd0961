import { isId } from '../../ids.ts';
import type { Account } from '../account.ts';
import { makeDomainRecords } from '../custom-domain/change-record.ts';
import { claimNamed } from '../domain-record.ts';
import { keyNamed, makeLoginKeys } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import type { TaskEntry } from '../pending.ts';
import { makeAppendAudit } from './audit.ts';

type Task = (account: Account, entry: TaskEntry) => Promise<unknown>;

/** What changes leave to be done, by name. Each may be done again without harm. */
export const makeTasks = (kit: Kit): Readonly<Record<TaskEntry['task'], Task>> => {
  const { audit, clock, entries, log, objects, outbox, sessions, userBilling, userFiles } = kit;
  const appendAudit = makeAppendAudit(kit);
  const records = makeDomainRecords(kit);
  const keys = makeLoginKeys(kit);

  return {
    'end-sessions': ({ id, keptSession, sessionEpoch }) =>
      sessions.endAll(id, { keep: keptSession, beforeEpoch: sessionEpoch }, clock.now()),
    'end-session': async ({ id }, { subject }) => {
      if (subject !== null) await sessions.end(id, subject, clock.now());
    },
    'remove-object': async (account, { subject }) => {
      // Not when it is the avatar again: the owner may have put back what they had.
      if (subject !== null && account.avatar !== subject) await objects.remove(subject);
    },
    'free-domain': async (_account, { subject }) => {
      if (subject !== null) await records.free(claimNamed(subject));
    },
    'free-key': async (account, { subject }) => {
      if (subject !== null) await keys.free(account, keyNamed(subject));
    },
    'erase-objects': ({ id }) => objects.removeAll(id),
    'erase-files': ({ id }) => userFiles.removeAll(id),
    'erase-mail': ({ id }) => outbox.removeFor(id),
    'erase-billing': ({ id }, { subject }) =>
      userBilling.forget(id, (subject ?? '').split(',').filter(Boolean)),
    'erase-audit': async ({ id, pending, deletedAt }, entry) => {
      // Only a deletion leaves this. Found on anything but a tombstone, somebody wrote it into the store to have the
      // log emptied and the gap signed: it is dropped.
      if (deletedAt === null || !isId(id)) {
        log.error('audit.erasure_refused', { userId: id });
        return;
      }
      // This may be a repetition: what it and the deletion have said already stays.
      const said = pending.map((one) => one.id);
      const rows = await audit.eraseAbout(id, said);
      const row = entries.audit({
        action: 'audit.erased',
        actor: 'system',
        target: id,
        after: { rows },
        caller: null,
      });
      // The same id at a repetition, so that the log says it once.
      await appendAudit({ ...row, id: entry.id, at: entry.at });
    },
  };
};
