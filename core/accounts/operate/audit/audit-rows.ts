import type { AuditEntry } from '../../pending.ts';
import type { AuditRow } from '../../ports.ts';

/** A row of the audit log as operators see it. Of an erased one only number, actor and target are left. */
export interface AuditLine extends Omit<AuditEntry, 'kind' | 'id' | 'at' | 'action' | 'person' | 'address'> {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string | null;
  readonly action: string | null;
  /** Who acted at the command line. */
  readonly person: string | null;
  /** The client address of an operator who acted over HTTP. */
  readonly address: string | null;
}

type Content = Omit<AuditEntry, 'kind'>;

/** The content of a row; undefined if it was erased or is not of the form that this program writes. */
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
    const gone = {
      at: null,
      person: null,
      action: null,
      reason: null,
      before: null,
      after: null,
      requestId: null,
      address: null,
    };
    return { number, actor, target, ...gone };
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
