import { invalid } from '../../errors.ts';
import { isoTimeOrNull, readTime } from '../../iso-times.ts';
import { nullable, object, optional, TEXT, type TypeOf, text, WHOLE } from '../../schema.ts';
import type { Restriction } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { AuditValue } from '../outbox-entries.ts';
import {
  type AdminActionResult,
  type AdminActionRules,
  actionMembers,
  defineAction,
  makeAdminAction,
  type Operator,
} from './admin-action.ts';

export const restrictInput = object({ reason: TEXT, until: nullable(WHOLE) });
/** A ban or disablement; `until` in epoch milliseconds, null for a permanent restriction. */
export type RestrictInput = TypeOf<typeof restrictInput>;

export const restrictBody = object({
  ...actionMembers,
  until: optional(
    nullable(
      text({
        maxLength: 40,
        description: 'ISO 8601; null or absent: for good',
        examples: ['2030-12-01T00:00:00.000Z'],
      }),
    ),
  ),
});

/** The restriction of a request. Throws `invalid` (`invalid_until`). */
export const readRestriction = ({ reason, until }: TypeOf<typeof restrictBody>): RestrictInput => {
  if (until === undefined || until === null) return { reason, until: null };
  const time = readTime(until);
  if (time === undefined) throw invalid('invalid_until', 'The end must be a time in ISO 8601.');
  return { reason, until: time };
};

type RestrictedField = 'banned' | 'disabled';

const facts = (name: string, restriction: Restriction | null): AuditValue => ({
  [name]: restriction !== null,
  reason: restriction?.reason ?? null,
  until: isoTimeOrNull(restriction?.until ?? null),
});

/**
 * Sets or replaces a restriction; it applies to the next request with any of the user's tokens. Throws `invalid`
 * (`invalid_until`, `invalid_reason`).
 */
export const makeRestrict = (field: RestrictedField) => (deps: Deps, rules: AdminActionRules) => {
  const runAction = makeAdminAction(deps, rules);

  return async (user: string, by: Operator, { reason, until }: RestrictInput): Promise<AdminActionResult> => {
    if (until !== null && until <= deps.clock.now()) {
      throw invalid('invalid_until', 'The end must be a time in the future.');
    }
    return runAction(user, { ...by, reason }, (account, at) => {
      const restriction: Restriction = { reason: reason.trim(), at, until };
      return {
        // Cancels a pending change of the email: that change may be the reason for the restriction.
        next: { ...account, [field]: restriction, emailChange: null },
        before: facts(field, account[field]),
        after: facts(field, restriction),
        // A disablement has no event.
        also: field === 'banned' ? [deps.entries.event('user.banned', account.id)] : [],
      };
    });
  };
};

export const defineRelease = (field: RestrictedField) =>
  defineAction((_, account) => {
    if (account[field] === null) return undefined;
    const next = { ...account, [field]: null };
    return { next, before: facts(field, account[field]), after: facts(field, null) };
  });
