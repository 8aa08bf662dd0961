import type { Deps } from '../deps.ts';
import type { AuditEntry } from '../outbox-entries.ts';
import type { AuditRow } from '../ports.ts';

/** A row of the audit log as operators see it. An erased row has only its number, actor and target. */
export interface AuditLine extends Omit<AuditEntry, 'kind' | 'id' | 'at' | 'action' | 'person' | 'address'> {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string | null;
  readonly action: string | null;
  /** The person who acted on the command line. */
  readonly person: string | null;
  /** The client address of an operator who acted over HTTP. */
  readonly address: string | null;
}

type Content = Omit<AuditEntry, 'kind'>;

/** The content of a row; undefined if it was erased or is not in the format of this program. */
export const readContent = ({ content }: AuditRow): Content | undefined => {
  if (content === null) return undefined;
  try {
    return JSON.parse(content) as Content;
  } catch {
    return undefined;
  }
};

export const auditLine = (row: AuditRow): AuditLine => {
  const { number, actor, target } = row;
  const content = readContent(row);
  if (content === undefined) {
    const erased = {
      at: null,
      person: null,
      action: null,
      reason: null,
      before: null,
      after: null,
      requestId: null,
      address: null,
    };
    return { number, actor, target, ...erased };
  }
  const { person = null, action, reason, before, after, requestId, address = null } = content;
  return {
    number,
    at: new Date(content.at).toISOString(),
    actor,
    person,
    action,
    target,
    reason,
    before,
    after,
    requestId,
    address,
  };
};

const PAGE = 500;

/** The rows of the audit log from a number on, read a page at a time; with a user, only rows about or by that user. */
export const makeWalkAudit = ({ audit }: Pick<Deps, 'audit'>) =>
  async function* (userId?: string, firstNumber = 1): AsyncGenerator<AuditRow> {
    const page = (start: number) =>
      userId === undefined ? audit.list(start, PAGE) : audit.listAbout(userId, start, PAGE);
    let rows = await page(firstNumber);
    while (rows.length > 0) {
      yield* rows;
      rows = await page((rows.at(-1)?.number ?? 0) + 1);
    }
  };
