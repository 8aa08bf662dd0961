import { invalidCursor, makeTextCursor } from '../../cursor.ts';
import { CoreError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { type OutboxState, stateOf } from '../../outbox.ts';
import type { Deps } from '../deps.ts';
import type { OutboxMail } from '../ports.ts';
import { acceptOperator, makeFindUser, type Operator } from './admin-action.ts';
import { makeRecordWork } from './record-work.ts';

/** A mail of the outbox: `waiting` for its first attempt, `failing` between attempts, `dead` after the last attempt. */
export interface ListedMail {
  readonly id: string;
  readonly state: OutboxState;
  readonly userId: string;
  readonly to: string;
  readonly template: string;
  /** ISO 8601, like every time of this type. */
  readonly createdAt: string;
  readonly tries: number;
  /** The time of the next attempt; null if there is none. */
  readonly dueAt: string | null;
  readonly lastFailure: string | null;
}

const PAGE = 500;

export const listedMail = ({
  entry: mail,
  userId,
  tries,
  dueAt,
  deadAt,
  lastFailure,
}: OutboxMail): ListedMail => ({
  id: mail.id,
  state: stateOf({ deadAt, tries }),
  userId,
  to: mail.to,
  template: mail.template,
  createdAt: new Date(mail.at).toISOString(),
  tries,
  dueAt: deadAt === null ? new Date(dueAt).toISOString() : null,
  lastFailure,
});

export const makeListMails = ({ outbox }: Pick<Deps, 'outbox'>) =>
  async function* (): AsyncGenerator<ListedMail> {
    let mails = await outbox.list(null, PAGE);
    while (mails.length > 0) {
      yield* mails.map(listedMail);
      mails = await outbox.list(mails.at(-1)?.entry.id ?? null, PAGE);
    }
  };

export interface ListMailsByStateInput {
  /** Default: every state. */
  readonly state?: OutboxState;
  /** From the previous page. */
  readonly cursor?: string;
  /** Reduced to `adminPageLongest` if larger. */
  readonly limit?: number;
}

export interface MailPage {
  /** The oldest first. */
  readonly mails: readonly ListedMail[];
  /** Present if more mails follow. */
  readonly cursor?: string;
}

export const makeListMailsByState = ({ digest, outbox, policy }: Deps) => {
  const cursors = makeTextCursor(digest, 'mails');

  return async ({ state, cursor, limit }: ListMailsByStateInput): Promise<MailPage> => {
    const after = cursor === undefined ? null : cursors.read(cursor);
    if (after === undefined) throw invalidCursor();
    const pageSize = Math.min(limit ?? policy.adminPageDefault, policy.adminPageLongest);
    const rows = await (state === undefined
      ? outbox.list(after, pageSize + 1)
      : outbox.listByState(state, after, pageSize + 1));
    const mails = rows.slice(0, pageSize).map(listedMail);
    const lastMail = mails.at(-1);
    return rows.length > pageSize && lastMail !== undefined
      ? { mails, cursor: cursors.write(lastMail.id) }
      : { mails };
  };
};

/** All mails to one user, dead mails too, the newest first. */
export const makeListMailsOf = (deps: Deps) => {
  const findUser = makeFindUser(deps);
  return async (user: string): Promise<readonly ListedMail[]> => {
    const { id } = await findUser(user);
    const mails = await deps.outbox.listOf(id);
    return mails.map(listedMail).sort((a, b) => (a.id < b.id ? 1 : -1));
  };
};

export const makeRetryMails = (deps: Deps) => {
  const { clock, outbox, wake } = deps;
  const recordWork = makeRecordWork(deps);

  return async (id: string | null, by: Operator): Promise<number> => {
    acceptOperator(by);
    const run = async (begin: () => Promise<void>) => {
      const mayBeThere = id === null ? (await outbox.list(null, 1)).length > 0 : isId(id);
      if (mayBeThere) await begin();
      const count = mayBeThere ? await outbox.retry(id, clock.now()) : 0;
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
