import { invalidCursor, makeTextCursor } from '../../cursor.ts';
import { CoreError } from '../../errors.ts';
import { type OutboxState, stateOf } from '../../outbox.ts';
import { makeAppendAudit } from '../aftermath/audit.ts';
import type { Kit } from '../kit.ts';
import type { OutboxMail } from '../ports.ts';
import { acceptOperator, makeFindUser, type Operator } from './act.ts';

/** A mail of the outbox: `waiting` for its first try, `failing` between tries, `dead` when it was given up. */
export interface ListedMail {
  readonly id: string;
  readonly state: OutboxState;
  readonly userId: string;
  readonly to: string;
  readonly template: string;
  /** ISO 8601, like every time in here. */
  readonly createdAt: string;
  readonly tries: number;
  /** Of the next try; null when there is none. */
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

export const makeListMails = ({ outbox }: Pick<Kit, 'outbox'>) =>
  async function* (): AsyncGenerator<ListedMail> {
    let mails = await outbox.list(null, PAGE);
    while (mails.length > 0) {
      yield* mails.map(listedMail);
      mails = await outbox.list(mails.at(-1)?.entry.id ?? null, PAGE);
    }
  };

export interface ListMailsByState {
  /** All of them without one. */
  readonly state?: OutboxState;
  /** From the answer before. */
  readonly cursor?: string;
  /** At most `adminPageLongest`, and cut to it. */
  readonly limit?: number;
}

export interface MailPage {
  /** The oldest first. */
  readonly mails: readonly ListedMail[];
  /** There while more follow. */
  readonly cursor?: string;
}

export const makeListMailsByState = ({ digest, outbox, policy }: Kit) => {
  const cursors = makeTextCursor(digest, 'mails');

  return async ({ state, cursor, limit }: ListMailsByState): Promise<MailPage> => {
    const after = cursor === undefined ? null : cursors.read(cursor);
    if (after === undefined) throw invalidCursor();
    const most = Math.min(limit ?? policy.adminPageDefault, policy.adminPageLongest);
    const found = await (state === undefined
      ? outbox.list(after, most + 1)
      : outbox.listByState(state, after, most + 1));
    const mails = found.slice(0, most).map(listedMail);
    const last = mails.at(-1);
    return found.length > most && last !== undefined ? { mails, cursor: cursors.write(last.id) } : { mails };
  };
};

/** Those of one user, dead ones too, the newest first. */
export const makeListMailsOf = (kit: Kit) => {
  const findUser = makeFindUser(kit);
  return async (user: string): Promise<readonly ListedMail[]> => {
    const { id } = await findUser(user);
    const mails = await kit.outbox.listOf(id);
    return mails.map(listedMail).sort((one, other) => (one.id < other.id ? 1 : -1));
  };
};

export const makeRetryMails = (kit: Kit) => {
  const { clock, entries, log, outbox, wake } = kit;
  const appendAudit = makeAppendAudit(kit);

  return async (id: string | null, by: Operator): Promise<number> => {
    const who = acceptOperator(by);
    const count = await outbox.retry(id, clock.now());
    if (id !== null && count === 0) {
      throw new CoreError('missing', 'mail_not_found', 'There is no such mail in the outbox.');
    }
    if (count === 0) return 0;
    const target = id === null ? 'outbox' : `mail:${id}`;
    await appendAudit(entries.audit({ action: 'mail.retried', target, after: { count }, ...who }));
    log.info('operator.acted', { id: target, reason: 'mail.retried', count });
    wake();
    return count;
  };
};
