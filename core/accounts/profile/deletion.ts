import { type Account, tombstone } from '../account.ts';
import { nameClaim } from '../domain-record.ts';
import { nameKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { type TaskEntry, withPending } from '../pending.ts';

/** What gives something back that others may wait for. */
const FREEING: readonly TaskEntry['task'][] = ['free-domain', 'free-key'];

/** To the addresses from which the email was changed lately, too: whoever did that may be who deletes. */
const farewells = ({ email, language, formerEmails }: Account, now: number) => {
  const open = formerEmails.filter(({ until }) => until > now);
  return [...new Set([email, ...open.map((former) => former.email)])].map((to) => ({ email: to, language }));
};

/**
 * What a deletion leaves of an account: a tombstone that lets nobody in, with the list of what else must go and be
 * told. The relay works through it, after any crash too.
 */
export const makeDeletion =
  ({ clock, entries, policy }: Pick<Kit, 'clock' | 'entries' | 'policy'>) =>
  (
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
    // What happened before is still to be told, and what was given up before to be freed; mails and audit rows that
    // wait are erased with the rest.
    const unfinished = account.pending.filter(
      (entry) => entry.kind === 'event' || (entry.kind === 'task' && FREEING.includes(entry.task)),
    );
    const { customDomain, billing } = account;
    const customers = billing?.customers.map(({ id }) => id) ?? [];
    return withPending(
      { ...tombstone(account, now), pending: unfinished },
      ...account.loginKeys.map((named) => entries.task('free-key', nameKey(named))),
      ...(customDomain === null ? [] : [entries.task('free-domain', nameClaim(customDomain))]),
      entries.task('end-sessions'),
      entries.task('erase-objects'),
      entries.task('erase-files'),
      entries.task('erase-mail'),
      entries.task('erase-audit'),
      ...farewells(account, now).map((to) =>
        entries.mail(to, 'account-deleted', { at: new Date(now).toISOString() }),
      ),
      entries.event('user.deleted', account.id),
      entries.audit({ action: 'account.deleted', target: account.id, ...by }),
      // A second time for a checkout that is on its way now: it makes a customer at the provider after the first.
      ...(billing === null
        ? []
        : [
            entries.task('erase-billing', customers.join()),
            entries.taskIn(policy.checkoutEnds, 'erase-billing', customers.join()),
          ]),
    );
  };
