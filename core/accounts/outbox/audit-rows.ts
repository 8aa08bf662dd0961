import { isoTime } from '../../iso-times.ts';
import { itemsOf, pagesOf } from '../../pagination.ts';
import type { Deps } from '../deps.ts';
import type { AuditEntry } from '../outbox-entries.ts';
import type { AuditRow } from '../ports.ts';

export type RowContent = Omit<AuditEntry, 'kind'>;

/** The content of a row; undefined if it was erased, or altered so that it is no content. */
export const readContent = ({ content }: AuditRow): RowContent | undefined => {
  if (content === null) return undefined;
  try {
    const parsed = JSON.parse(content) as RowContent;
    // Throws unless `at` is a time. `verifyAudit` reports an altered row; a list only has to go on after it.
    isoTime(parsed.at);
    return parsed;
  } catch {
    return undefined;
  }
};

/** Rows in one read of the log: a few milliseconds of work. */
export const ROWS_PER_READ = 250;

/** The rows of the audit log from a number on, read a page at a time; with a user, only rows about or by that user. */
export const walkAudit = (
  { audit }: Pick<Deps, 'audit'>,
  userId?: string,
  firstNumber = 1,
): AsyncGenerator<AuditRow> =>
  itemsOf(
    pagesOf(ROWS_PER_READ, (after: AuditRow | null, limit) => {
      const start = after === null ? firstNumber : after.number + 1;
      return userId === undefined ? audit.list(start, limit) : audit.listAbout(userId, start, limit);
    }),
  );
