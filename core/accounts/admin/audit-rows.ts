import { isoTime, timeOrNull } from '../../iso-times.ts';
import { pagesOf } from '../../pagination.ts';
import { integer, nullable, OBJECT, object, type Schema, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import type { AuditEntry, AuditValue } from '../outbox-entries.ts';
import type { AuditRow } from '../ports.ts';

const facts = (description: string) =>
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
  before: facts('What held before the action'),
  after: facts('What holds since'),
  requestId: nullable(text({ description: '', examples: [null] })),
  address: nullable(text({ description: 'The client address of an operator', examples: ['192.0.2.1'] })),
};
export const auditLine = object(auditLineMembers);
/**
 * A row of the audit log as operators see it; `at` is ISO 8601. An erased row has only its number, actor and target.
 * `person` is who acted on the command line, `address` the client address of an operator who acted over HTTP.
 */
export type AuditLine = TypeOf<typeof auditLine>;

type Content = Omit<AuditEntry, 'kind'>;

/** The content of a row; undefined if it was erased or is not JSON. */
export const readContent = ({ content }: AuditRow): Content | undefined => {
  if (content === null) return undefined;
  try {
    return JSON.parse(content) as Content;
  } catch {
    return undefined;
  }
};

export const viewRow = (row: AuditRow): AuditLine => {
  const { number, actor, target } = row;
  const content: Partial<Content> = readContent(row) ?? {};
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

/** Rows in one read of the log: a few milliseconds of work. */
export const AUDIT_PAGE = 250;

/** The rows of the audit log from a number on, read a page at a time; with a user, only rows about or by that user. */
export async function* walkAudit(
  { audit }: Pick<Deps, 'audit'>,
  userId?: string,
  firstNumber = 1,
): AsyncGenerator<AuditRow> {
  const pages = pagesOf<AuditRow>(AUDIT_PAGE, (after, limit) => {
    const start = after === null ? firstNumber : after.number + 1;
    return userId === undefined ? audit.list(start, limit) : audit.listAbout(userId, start, limit);
  });
  for await (const page of pages) yield* page;
}
