import type { Account } from '../account.ts';
import { makeRelayAccount } from '../aftermath/relay.ts';
import type { Kit } from '../kit.ts';
import { makeDeletion } from '../profile/deletion.ts';
import { acceptOperator, makeFindUser, type Operator } from './act.ts';
import { makeWalkAudit } from './audit/walk-audit.ts';
import { makeChangeByOperator } from './rules/change.ts';

/** What a deletion removed, by place, what it kept, and what the relay still has to remove. */
export interface Receipt {
  readonly userId: string;
  readonly email: string;
  readonly deletedAt: string;
  readonly removed: readonly { readonly what: string; readonly where: string; readonly count: number }[];
  readonly kept: readonly { readonly what: string; readonly where: string }[];
  /** Empty when all is done. */
  readonly outstanding: readonly string[];
}

const KEPT = [
  { what: 'the id, as a tombstone without personal data', where: 'accounts' },
  { what: 'digests of the erased rows, and rows that say that the account was deleted', where: 'audit log' },
  { what: 'the farewell mail, until it is sent', where: 'outbox' },
];

/** For those who ever went to buy something. */
const KEPT_OF_BILLING = [
  { what: 'ids of deliveries of the payment provider, without their content', where: 'billing' },
  { what: 'what the law has the payment provider keep, without name and email', where: 'payment provider' },
];

export const makeDeleteUser = (kit: Kit) => {
  const { accounts, outbox, sessions, userFiles, wake } = kit;
  const change = makeChangeByOperator(kit);
  const findUser = makeFindUser(kit);
  const deletion = makeDeletion(kit);
  const relayAccount = makeRelayAccount(kit, ['event']);
  const walkAudit = makeWalkAudit(kit);

  const countRows = async (id: string): Promise<number> => {
    let count = 0;
    for await (const { content } of walkAudit(id)) if (content !== null) count += 1;
    return count;
  };

  const holdings = async (account: Account): Promise<Receipt['removed']> => {
    const { id, avatar, billing, customDomain } = account;
    const [open, mails, files, rows] = await Promise.all([
      sessions.list(id),
      outbox.listOf(id),
      userFiles.count(id),
      countRows(id),
    ]);
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
      { what: 'sessions', where: 'sessions', count: open.length },
      { what: 'mails', where: 'outbox', count: mails.length },
      { what: 'content of rows about the user', where: 'audit log', count: rows },
    ];
  };

  return async (user: string, by: Operator): Promise<Receipt> => {
    const who = acceptOperator(by);
    const account = await findUser(user);
    const { id: userId, email } = account;
    const removed = await holdings(account);
    const deletedAt = await change<number>(
      account,
      by,
      { action: 'account.deleted', own: false },
      (found) => {
        const next = deletion(found, who);
        return { next, answer: next.deletedAt ?? 0 };
      },
    );
    await relayAccount(userId).catch(wake);
    const left = (await accounts.find(userId))?.pending ?? [];
    return {
      userId,
      email,
      deletedAt: new Date(deletedAt).toISOString(),
      removed,
      kept: account.billing === null ? KEPT : [...KEPT, ...KEPT_OF_BILLING],
      // What is only to be done once more, later, is not.
      outstanding: left.flatMap((entry) =>
        entry.kind === 'task' && entry.retry?.tries !== 0 ? [entry.task] : [],
      ),
    };
  };
};
