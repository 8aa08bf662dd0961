import { invalid } from '../../errors.ts';
import type { Restriction } from '../account.ts';
import type { Kit } from '../kit.ts';
import type { AuditValue } from '../pending.ts';
import { type Acted, makeAct, type Operator } from './act.ts';

/** A ban or disablement; `until` in epoch milliseconds, null for good. */
export interface Restrict {
  readonly reason: string;
  readonly until: number | null;
}

const facts = (name: string, restriction: Restriction | null): AuditValue => ({
  [name]: restriction !== null,
  reason: restriction?.reason ?? null,
  until: restriction?.until == null ? null : new Date(restriction.until).toISOString(),
});

/**
 * Sets or replaces a restriction: the user's live tokens feel it at their next request. Throws `invalid`
 * (`invalid_until`, `invalid_reason`).
 */
const makeRestrict = (kit: Kit, field: 'banned' | 'disabled') => {
  const act = makeAct(kit, { own: false });

  return async (user: string, { reason, until }: Restrict, by: Operator): Promise<Acted> => {
    if (until !== null && until <= kit.clock.now()) {
      throw invalid('invalid_until', 'The end must be a time that is still to come.');
    }
    return act(user, { ...by, reason }, `user.${field}`, (account, at) => {
      const restriction: Restriction = { reason: reason.trim(), at, until };
      return {
        // A change of the email that waits is void: a restriction may be the answer to it.
        next: { ...account, [field]: restriction, emailChange: null },
        before: facts(field, account[field]),
        after: facts(field, restriction),
        also: field === 'banned' ? [kit.entries.event('user.banned', account.id)] : [],
      };
    });
  };
};

const makeRelease = (kit: Kit, field: 'banned' | 'disabled', action: string) => {
  const act = makeAct(kit);

  return (user: string, by: Operator): Promise<Acted> =>
    act(user, by, action, (account) =>
      account[field] === null
        ? undefined
        : {
            next: { ...account, [field]: null },
            before: facts(field, account[field]),
            after: facts(field, null),
          },
    );
};

export const makeBan = (kit: Kit) => makeRestrict(kit, 'banned');
export const makeUnban = (kit: Kit) => makeRelease(kit, 'banned', 'user.unbanned');
export const makeDisable = (kit: Kit) => makeRestrict(kit, 'disabled');
export const makeEnable = (kit: Kit) => makeRelease(kit, 'disabled', 'user.enabled');
