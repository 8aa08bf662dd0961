import { invalid } from '../../errors.ts';
import type { Restriction } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { AuditValue } from '../outbox-entries.ts';
import { type AdminActionResult, makeAdminAction, type Operator } from './admin-action.ts';

/** A ban or disablement; `until` in epoch milliseconds, null for a permanent restriction. */
export interface RestrictInput {
  readonly reason: string;
  readonly until: number | null;
}

const facts = (name: string, restriction: Restriction | null): AuditValue => ({
  [name]: restriction !== null,
  reason: restriction?.reason ?? null,
  until: restriction?.until == null ? null : new Date(restriction.until).toISOString(),
});

/**
 * Sets or replaces a restriction; it applies to the next request with any of the user's tokens. Throws `invalid`
 * (`invalid_until`, `invalid_reason`).
 */
const makeRestrict = (deps: Deps, field: 'banned' | 'disabled') => {
  const act = makeAdminAction(deps, { allowsSelf: false });

  return async (user: string, { reason, until }: RestrictInput, by: Operator): Promise<AdminActionResult> => {
    if (until !== null && until <= deps.clock.now()) {
      throw invalid('invalid_until', 'The end must be a time in the future.');
    }
    return act(user, { ...by, reason }, `user.${field}`, (account, at) => {
      const restriction: Restriction = { reason: reason.trim(), at, until };
      return {
        // Cancels a pending change of the email: it may be the reason for the restriction.
        next: { ...account, [field]: restriction, emailChange: null },
        before: facts(field, account[field]),
        after: facts(field, restriction),
        also: field === 'banned' ? [deps.entries.event('user.banned', account.id)] : [],
      };
    });
  };
};

const makeRelease = (deps: Deps, field: 'banned' | 'disabled', action: string) => {
  const act = makeAdminAction(deps, { protectsFounders: true });

  return (user: string, by: Operator): Promise<AdminActionResult> =>
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

export const makeBan = (deps: Deps) => makeRestrict(deps, 'banned');
export const makeUnban = (deps: Deps) => makeRelease(deps, 'banned', 'user.unbanned');
export const makeDisable = (deps: Deps) => makeRestrict(deps, 'disabled');
export const makeEnable = (deps: Deps) => makeRelease(deps, 'disabled', 'user.enabled');
