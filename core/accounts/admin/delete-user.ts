import { TIME, USER_ID } from '../../answer-schemas.ts';
import { isoTime } from '../../iso-times.ts';
import { list, object, size, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { CANONICAL_EMAIL } from '../email.ts';
import { makeAddOperatorMails } from '../operators.ts';
import { walkAudit } from '../outbox/audit-rows.ts';
import { makeRelayAccount } from '../outbox/relay.ts';
import type { TaskEntry } from '../outbox-entries.ts';
import { toTombstone } from '../tombstone.ts';
import { acceptOperator, makeChangeByOperator, type Operator } from './admin-action.ts';
import { findUser } from './find-user.ts';

const WHAT = text({ description: '', examples: ['sessions'] });

export const receipt = object(
  {
    userId: USER_ID,
    email: CANONICAL_EMAIL,
    deletedAt: TIME,
    removed: list(object({ what: WHAT, where: WHAT, count: size({ examples: [2] }) }, { title: 'Removed' })),
    kept: list(object({ what: WHAT, where: WHAT }, { title: 'Kept' })),
    outstanding: list(text({ examples: ['erase-billing'] }), {
      description: 'Data that the server still must delete; empty when the deletion is complete',
    }),
  },
  { title: 'Receipt' },
);
/**
 * The data that a deletion removed and kept, by place, and the tasks left to the relay: `outstanding` is empty once
 * everything is removed. `deletedAt` is ISO 8601.
 */
export type Receipt = TypeOf<typeof receipt>;

const KEPT = [
  { what: 'the id, as a tombstone without personal data', where: 'accounts' },
  { what: 'digests of the erased rows, and rows that say that the account was deleted', where: 'audit log' },
  { what: 'the farewell mail, until it is sent', where: 'outbox' },
];

/** For users with a billing record. */
const KEPT_OF_BILLING = [
  { what: 'ids of deliveries of the payment provider, without their content', where: 'billing' },
  {
    what: 'data that the payment provider must keep by law, without name and email',
    where: 'payment provider',
  },
];

/**
 * Whether `entries.taskIn` made the task, to repeat an earlier task at a later time. The `retry` of such a task counts no
 * attempt; the `retry` of a failed task counts at least one.
 */
const isDelayed = ({ retry }: TaskEntry): boolean => retry?.tries === 0;

export const makeDeleteUser = (deps: Deps) => {
  const { accounts, outbox, sessions, userFiles, wake } = deps;
  const change = makeChangeByOperator(deps);
  const addOperatorMails = makeAddOperatorMails(deps);
  // The command line deletes users too and has no event listeners: a server relays the events.
  const relayAllButEvents = makeRelayAccount(deps, ['event']);

  const countRows = async (id: string): Promise<number> => {
    let count = 0;
    for await (const { content } of walkAudit(deps, id)) if (content !== null) count += 1;
    return count;
  };

  const countData = async (account: Account): Promise<Receipt['removed']> => {
    const { id, avatar, billing, customDomain } = account;
    const [openSessions, mails, files, rows] = await Promise.all([
      sessions.list(id),
      outbox.listOf(id),
      userFiles.count(id),
      countRows(id),
    ]);
    // A stored avatar is a path below the user's id. Any other avatar is a URL elsewhere, with nothing to remove.
    const isStored = avatar?.startsWith(`${id}/`) ?? false;
    return [
      { what: 'account', where: 'accounts', count: 1 },
      { what: 'entitlements', where: 'accounts', count: account.entitlements.length },
      { what: 'identities', where: 'accounts and login keys', count: account.oauthAccounts.length },
      { what: 'passkeys', where: 'accounts and login keys', count: account.passkeys.length },
      { what: 'customers', where: 'accounts and billing', count: billing?.customers.length ?? 0 },
      { what: 'subscriptions', where: 'accounts', count: billing?.subscriptions.length ?? 0 },
      { what: 'custom domain', where: 'accounts and domains', count: customDomain === null ? 0 : 1 },
      { what: 'avatar', where: 'objects', count: isStored ? 1 : 0 },
      { what: 'file records', where: 'files and cache', count: files },
      { what: 'sessions', where: 'sessions', count: openSessions.length },
      { what: 'mails', where: 'outbox', count: mails.length },
      { what: 'content of rows about the user', where: 'audit log', count: rows },
    ];
  };

  return async (user: string, by: Operator): Promise<Receipt> => {
    const operator = acceptOperator(by);
    const account = await findUser(deps, user);
    const { id: userId, email } = account;
    const removed = await countData(account);
    const deletedAt = await change<number>(
      account,
      by,
      { action: 'account.deleted', allowsSelf: false },
      async (current) => {
        const next = await addOperatorMails(current, toTombstone(deps, current, operator), operator);
        return { next, answer: next.deletedAt ?? 0 };
      },
    );
    // After a failure, the background work relays the entries, and the receipt names the tasks as outstanding.
    await relayAllButEvents(userId).catch(wake);
    const pending = (await accounts.find(userId))?.pending ?? [];
    return {
      userId,
      email,
      deletedAt: isoTime(deletedAt),
      removed,
      kept: account.billing === null ? KEPT : [...KEPT, ...KEPT_OF_BILLING],
      outstanding: pending.flatMap((entry) =>
        entry.kind === 'task' && !isDelayed(entry) ? [entry.task] : [],
      ),
    };
  };
};
