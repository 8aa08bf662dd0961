import { invalidCursor, makeTextCursor } from '../../cursor.ts';
import { isId, timeOfId } from '../../ids.ts';
import { isoTime, timeOrNull } from '../../iso-times.ts';
import { NEXT_CURSOR, pageMembers, pageSizeOf, searchedTo } from '../../pagination.ts';
import {
  integer,
  list,
  NUMBER,
  nullable,
  OBJECT,
  object,
  optional,
  type Schema,
  TEXT,
  type TypeOf,
  text,
} from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { ROWS_PER_READ, type RowContent, readContent, walkAudit } from '../outbox/audit-rows.ts';
import type { AuditValue } from '../outbox-entries.ts';
import type { AuditFilter, AuditRow } from '../ports.ts';
import { findUser, isUserNotFound } from './find-user.ts';

const factsSchema = (description: string) =>
  ({ ...nullable(OBJECT), description, examples: [null] }) as Schema<AuditValue | null>;

export const auditLineMembers = {
  number: integer({ examples: [1_204] }),
  at: timeOrNull('', '2026-11-21T18:00:00.000Z'),
  actor: text({ description: 'The id of a user, or a name such as `system`', examples: ['system'] }),
  person: nullable(text({ description: 'Who acted at the command line', examples: [null] })),
  action: nullable(text({ description: '', examples: ['user.banned'] })),
  target: text({
    description: 'The id of a user, or a name such as `outbox`',
    examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
  }),
  reason: nullable(text({ description: '', examples: ['spam'] })),
  before: factsSchema('What held before the action'),
  after: factsSchema('What holds since'),
  requestId: nullable(text({ description: '', examples: [null] })),
  address: nullable(text({ description: 'The client address of an operator', examples: ['192.0.2.1'] })),
};
const auditLine = object(auditLineMembers);
/**
 * A row of the audit log as operators see it; `at` is ISO 8601. An erased row has only its number, actor and target.
 * `person` is who acted on the command line, `address` the client address of an operator who acted over HTTP.
 */
export type AuditLine = TypeOf<typeof auditLine>;

export const viewRow = (row: AuditRow): AuditLine => {
  const { number, actor, target } = row;
  const content: Partial<RowContent> = readContent(row) ?? {};
  return {
    number,
    at: content.at === undefined ? null : isoTime(content.at),
    actor,
    person: content.person ?? null,
    action: content.action ?? null,
    target,
    reason: content.reason ?? null,
    before: content.before ?? null,
    after: content.after ?? null,
    requestId: content.requestId ?? null,
    address: content.address ?? null,
  };
};

const ACTOR = text({
  maxLength: 1_000,
  description: 'The id or email of the actor, or a name such as `system` or that of a person',
});
const ACTION = text({ maxLength: 64, description: 'Only rows of this action', examples: ['user.banned'] });
const TARGET = text({
  maxLength: 1_000,
  description: 'The id or email of the user the rows are about, or a name such as `outbox`',
});

export const listAuditInput = object({
  user: optional(TEXT),
  actor: optional(ACTOR),
  action: optional(ACTION),
  since: optional(NUMBER),
});
/**
 * Conditions for rows, all of which must hold. An erased row matches no action and no time. `user`: rows about or by this
 * user: an id, also of a deleted account, or an email. `actor`: an actor, or the name of a person who acted on the command
 * line; only `listAuditBack` finds an actor by email. `since`: epoch milliseconds.
 */
export type ListAuditInput = TypeOf<typeof listAuditInput>;

/** Conditions that a search checks on each row. */
interface Conditions {
  readonly target?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

const matches = (line: AuditLine, { target, actor, action, since, until }: Conditions): boolean =>
  (target === undefined || line.target === target) &&
  (actor === undefined || line.actor === actor || line.person === actor) &&
  (action === undefined || line.action === action) &&
  (since === undefined || (line.at !== null && Date.parse(line.at) >= since)) &&
  (until === undefined || (line.at !== null && Date.parse(line.at) < until));

/** The id of a user by id or email. An id may be that of a deleted user. */
const idOfUser = async (deps: Deps, user: string | undefined): Promise<string | undefined> =>
  user === undefined || isId(user) ? user : (await findUser(deps, user)).id;

export const makeListAudit = (deps: Deps) =>
  async function* (filter: ListAuditInput): AsyncGenerator<AuditLine> {
    for await (const row of walkAudit(deps, await idOfUser(deps, filter.user))) {
      const line = viewRow(row);
      if (matches(line, filter)) yield line;
    }
  };

/** The conditions that the console's route takes as they are. It also takes `since` and `until`, but as ISO 8601. */
export const auditFilterMembers = {
  actor: optional(ACTOR),
  action: optional(ACTION),
  target: optional(TARGET),
};
export const listAuditBackInput = object({
  user: optional(TEXT),
  ...auditFilterMembers,
  since: optional(NUMBER),
  until: optional(NUMBER),
  ...pageMembers,
});
/**
 * Conditions for rows, all of which must hold. An erased row matches no action and no time. `user`: rows about or by this
 * user: an id, also of a deleted account, or an email. `actor`: an actor, the email of an actor, or the name of a person
 * who acted on the command line. `target`: the subject of the row: an id, also of a deleted account, an email, or a name
 * such as `outbox`. `since` (inclusive) and `until` (exclusive): epoch milliseconds. `cursor`: from the previous page.
 * `limit`: reduced to `adminPageLongest` if larger.
 */
export type ListAuditBackInput = TypeOf<typeof listAuditBackInput>;

export const auditPageMembers = {
  cursor: NEXT_CURSOR,
  searchedTo: searchedTo('the time of the last row looked at'),
};
const auditPage = object({ rows: list(auditLine), ...auditPageMembers });
/**
 * `cursor`: present if more rows may follow. `searchedTo`: present if the search stopped after `readsPerSearch` rows: the time
 * of the last searched row, ISO 8601.
 */
export type AuditPage = TypeOf<typeof auditPage>;

/** The newest rows of the audit log, a page at a time, for operators. */
export const makeListAuditBack = (deps: Deps) => {
  const { audit, digest, policy } = deps;
  const cursors = makeTextCursor(digest, 'audit');

  /** The id of the user with an email. A text that is no email stays as it is. */
  const idIfEmail = async (text: string): Promise<string> =>
    isId(text) || !text.includes('@') ? text : (await findUser(deps, text)).id;

  /** Keeps an unknown email as it is: it may be the name of a person, which may look like an email. */
  const actorOf = async (text: string): Promise<string> => {
    try {
      return await idIfEmail(text);
    } catch (error) {
      if (isUserNotFound(error)) return text;
      throw error;
    }
  };

  const filterOf = (user?: string, target?: string, actor?: string): AuditFilter | undefined => {
    if (user !== undefined) return { id: user, as: 'either' };
    if (target !== undefined) return { id: target, as: 'target' };
    // The store has no index of persons: the search filters their rows itself.
    return actor !== undefined && isId(actor) ? { id: actor, as: 'actor' } : undefined;
  };

  /** The one condition that the store applies, if any, and the other conditions, which the search applies to each row. */
  const searchOf = async (input: ListAuditBackInput) => {
    const { action, since, until } = input;
    const user = await idOfUser(deps, input.user);
    const target = input.target === undefined ? undefined : await idIfEmail(input.target);
    const actor = input.actor === undefined ? undefined : await actorOf(input.actor);
    const filter = filterOf(user, target, actor);
    const conditions: Conditions = {
      target: filter?.as === 'target' ? undefined : target,
      actor: filter?.as === 'actor' ? undefined : actor,
      action,
      since,
      until,
    };
    return { filter, conditions };
  };

  const positionOf = (cursor: string | undefined): number => {
    if (cursor === undefined) return Number.POSITIVE_INFINITY;
    const position = cursors.read(cursor);
    if (position === undefined) throw invalidCursor();
    return Number(position);
  };

  return async (input: ListAuditBackInput): Promise<AuditPage> => {
    const startNumber = positionOf(input.cursor);
    const { filter, conditions } = await searchOf(input);
    const hasConditions = Object.values(conditions).some((condition) => condition !== undefined);
    const pageSize = pageSizeOf(policy, input.limit);
    // Without conditions every row matches, and one more row tells whether more follow.
    const rowsPerRead = hasConditions ? ROWS_PER_READ : pageSize + 1;
    const rows: AuditLine[] = [];
    let lastRow: AuditRow | undefined;
    for (let readsLeft = policy.readsPerSearch; readsLeft > 0; ) {
      const limit = Math.min(readsLeft, rowsPerRead);
      const page = await audit.listBack(lastRow?.number ?? startNumber, limit, filter);
      for (const row of page) {
        const line = viewRow(row);
        if (!matches(line, conditions)) continue;
        if (rows.length === pageSize) return { rows, cursor: cursors.write(`${rows.at(-1)?.number}`) };
        rows.push(line);
      }
      if (page.length < limit) return { rows };
      lastRow = page.at(-1);
      readsLeft -= page.length;
    }
    if (lastRow === undefined) return { rows };
    // An erased row no longer has its `at`, but the id of its entry still tells the time.
    return {
      rows,
      cursor: cursors.write(`${lastRow.number}`),
      searchedTo: isoTime(timeOfId(lastRow.entryId)),
    };
  };
};
