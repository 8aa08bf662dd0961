import type { Account } from './account.ts';
import type { Caller, Needs } from './needs.ts';
import type {
  AuditEntry,
  AuditValue,
  EventEntry,
  EventType,
  MailEntry,
  MailTemplate,
  Pending,
  TaskEntry,
} from './pending.ts';

/** Makes the outbox entries of a change. */
export const makeEntries = ({ clock, newId, sealer }: Pick<Needs, 'clock' | 'newId' | 'sealer'>) => {
  const stamp = () => ({ id: newId(), at: clock.now() });
  return {
    mail(
      account: Pick<Account, 'email' | 'language'>,
      template: MailTemplate,
      facts: Readonly<Record<string, string>> = {},
      code: string | null = null,
    ): MailEntry {
      const { id, at } = stamp();
      const sealedCode = code === null ? null : sealer.seal(code, `mail:${id}`);
      return {
        kind: 'mail',
        id,
        at,
        to: account.email,
        language: account.language,
        template,
        facts,
        sealedCode,
      };
    },
    audit(given: {
      readonly action: string;
      readonly actor: string;
      readonly person?: string;
      readonly target: string;
      readonly reason?: string;
      readonly before?: AuditValue;
      readonly after?: AuditValue;
      readonly caller: Pick<Caller, 'requestId'> | null;
    }): AuditEntry {
      return {
        kind: 'audit',
        ...stamp(),
        actor: given.actor,
        ...(given.person !== undefined && { person: given.person }),
        action: given.action,
        target: given.target,
        reason: given.reason ?? null,
        before: given.before ?? null,
        after: given.after ?? null,
        requestId: given.caller?.requestId ?? null,
      };
    },
    event: (type: EventType, userId: string, sessionId: string | null = null): EventEntry => ({
      kind: 'event',
      ...stamp(),
      type,
      userId,
      sessionId,
    }),
    task: (task: TaskEntry['task'], subject: string | null = null): TaskEntry => ({
      kind: 'task',
      ...stamp(),
      task,
      subject,
    }),
    /** The same in so many milliseconds. */
    taskIn(wait: number, task: TaskEntry['task'], subject: string | null): TaskEntry {
      const { id, at } = stamp();
      return { kind: 'task', id, at, task, subject, retry: { tries: 0, from: at, dueAt: at + wait } };
    },
  };
};

export type Entries = ReturnType<typeof makeEntries>;

/** The account with more to be moved on by the relay. */
export const withPending = (account: Account, ...entries: readonly Pending[]): Account => ({
  ...account,
  pending: [...account.pending, ...entries],
});
