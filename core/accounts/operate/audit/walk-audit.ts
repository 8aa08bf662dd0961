import type { Kit } from '../../kit.ts';
import type { AuditRow } from '../../ports.ts';

const PAGE = 500;

/** The rows of the audit log from a number on, read a page at a time; with a user, those about or by them. */
export const makeWalkAudit = ({ audit }: Pick<Kit, 'audit'>) =>
  async function* (userId?: string, first = 1): AsyncGenerator<AuditRow> {
    const page = (from: number) =>
      userId === undefined ? audit.list(from, PAGE) : audit.listAbout(userId, from, PAGE);
    let rows = await page(first);
    while (rows.length > 0) {
      yield* rows;
      rows = await page((rows.at(-1)?.number ?? 0) + 1);
    }
  };
