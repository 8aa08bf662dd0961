import { TIME, USER_ID } from '../../answer-schemas.ts';
import { invalidCursor, makeTextCursor } from '../../cursor.ts';
import { CoreError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { isoTime, timeOrNull } from '../../iso-times.ts';
import { hasEntry, OUTBOX_STATES, stateOf } from '../../outbox.ts';
import { cutPage, NEXT_CURSOR, pageMembers, pageSizeOf, pagesOf } from '../../pagination.ts';
import { list, nullable, object, oneOf, optional, size, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { CANONICAL_EMAIL } from '../email.ts';
import type { OutboxMail } from '../ports.ts';
import { acceptOperator, type Operator } from './admin-action.ts';
import { findUser } from './find-user.ts';
import { makeRecordWork } from './record-work-in-audit.ts';

export const listedMail = object(
  {
    id: text({ format: 'uuid', examples: ['0199a0b1-3c00-7c01-8e55-2f1b9c3d4e5f'] }),
    state: oneOf(OUTBOX_STATES, { examples: ['waiting'] }),
    userId: USER_ID,
    to: CANONICAL_EMAIL,
    template: text({ description: 'Which mail it is', examples: ['verify'] }),
    createdAt: TIME,
    tries: size({ examples: [0] }),
    dueAt: timeOrNull('Of the next try; null when there is none', '2026-11-21T18:00:00.000Z'),
    lastFailure: nullable(text({ examples: [null] })),
  },
  { title: 'Mail' },
);
/**
 * A mail of the outbox: `waiting` for its first attempt, `failing` between attempts, `dead` after the last attempt. Times
 * are ISO 8601.
 */
export type ListedMail = TypeOf<typeof listedMail>;

const PAGE = 500;

export const viewMail = (mail: OutboxMail): ListedMail => ({
  id: mail.entry.id,
  state: stateOf(mail),
  userId: mail.userId,
  to: mail.entry.to,
  template: mail.entry.template,
  createdAt: isoTime(mail.entry.at),
  tries: mail.tries,
  dueAt: mail.deadAt === null ? isoTime(mail.dueAt) : null,
  lastFailure: mail.lastFailure,
});

export const makeListMails = ({ outbox }: Pick<Deps, 'outbox'>) =>
  async function* (): AsyncGenerator<ListedMail> {
    const pages = pagesOf<OutboxMail>(PAGE, (after, limit) => outbox.list(after?.entry.id ?? null, limit));
    for await (const page of pages) yield* page.map(viewMail);
  };

export const listMailsByStateInput = object({
  state: optional(
    oneOf(OUTBOX_STATES, {
      description: '`waiting` for the first attempt, `failing` between attempts, `dead` after the last one',
    }),
  ),
  ...pageMembers,
});
/**
 * `state`: every state if absent. `cursor`: from the previous page. `limit`: reduced to `adminPageLongest` if larger.
 */
export type ListMailsByStateInput = TypeOf<typeof listMailsByStateInput>;

export const mailPage = object({ mails: list(listedMail), cursor: NEXT_CURSOR }, { title: 'MailPage' });
/** The oldest mails first; `cursor` is present if more follow. */
export type MailPage = TypeOf<typeof mailPage>;

export const makeListMailsByState = ({ digest, outbox, policy }: Deps) => {
  const cursors = makeTextCursor(digest, 'mails');

  return async ({ state, cursor, limit }: ListMailsByStateInput): Promise<MailPage> => {
    const after = cursor === undefined ? null : cursors.read(cursor);
    if (after === undefined) throw invalidCursor();
    const pageSize = pageSizeOf(policy, limit);
    const rows = await (state === undefined
      ? outbox.list(after, pageSize + 1)
      : outbox.listByState(state, after, pageSize + 1));
    const { page, last } = cutPage(rows, pageSize);
    return { mails: page.map(viewMail), ...(last && { cursor: cursors.write(last.entry.id) }) };
  };
};

/** All mails to one user, dead mails too, the newest first. */
export const makeListMailsOf =
  (deps: Deps) =>
  async (user: string): Promise<readonly ListedMail[]> => {
    const { id } = await findUser(deps, user);
    const mails = await deps.outbox.listOf(id);
    return mails.map(viewMail).sort((a, b) => (a.id < b.id ? 1 : -1));
  };

export const makeRetryMails = (deps: Deps) => {
  const { clock, outbox, wake } = deps;
  const recordWork = makeRecordWork(deps);

  /** Makes a mail due now, or all of them (null), dead ones too. Returns the count. */
  return async (id: string | null, by: Operator): Promise<number> => {
    // The write of an audit row validates the operator, too, but no row is written if there is no such mail.
    acceptOperator(by);
    const run = async (recordStart: () => Promise<void>) => {
      const hasWork = (id === null || isId(id)) && (await hasEntry(outbox, id));
      if (hasWork) await recordStart();
      const count = hasWork ? await outbox.retry(id, clock.now()) : 0;
      if (id !== null && count === 0) {
        throw new CoreError('missing', 'mail_not_found', 'There is no such mail in the outbox.');
      }
      return { answer: count, after: { count } };
    };
    const target = id === null ? 'outbox' : `mail:${id}`;
    const count = await recordWork({ name: 'mail.retry', done: 'mail.retried', target, run }, by);
    if (count > 0) wake();
    return count;
  };
};
