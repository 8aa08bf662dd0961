import { isId } from '../../../ids.ts';
import type { Kit } from '../../kit.ts';
import type { AuditRow } from '../../ports.ts';
import { readContent } from './audit-rows.ts';

interface Erased {
  readonly target: string;
  readonly actor: string;
  readonly first: number;
  last: number;
}

/**
 * Finds rows that were emptied although no later row says that their user was erased, or although that user still
 * exists. Somebody who can write to the store could hide a row this way, or make the relay hide it.
 */
export const makeErasures = ({ accounts }: Pick<Kit, 'accounts'>) => {
  const emptied = new Map<string, Erased>();
  const recordedAt = new Map<string, number>();
  let count = 0;

  /** The row before which an erasure explains what is missing of a user; 0 for one who was not erased at all. */
  const erasedBefore = async (userId: string): Promise<number> => {
    if (!isId(userId)) return 0;
    const account = await accounts.find(userId);
    // A user who exists was not erased, even if a forged row says so.
    if (account?.deletedAt === null) return 0;
    const isUnderWay = account?.pending.some(
      (entry) => entry.kind === 'task' && entry.task === 'erase-audit',
    );
    // Emptied already, and to be recorded next.
    return isUnderWay === true ? Number.POSITIVE_INFINITY : (recordedAt.get(userId) ?? 0);
  };

  return {
    note: (row: AuditRow): void => {
      const { number, target, actor } = row;
      if (row.content === null) {
        count += 1;
        const pair = `${target} ${actor}`;
        const known = emptied.get(pair);
        if (known === undefined) emptied.set(pair, { target, actor, first: number, last: number });
        else known.last = number;
      } else if (row.actor === 'system' && readContent(row)?.action === 'audit.erased') {
        recordedAt.set(target, number);
      }
    },
    count: () => count,
    /** The number of a row that nothing explains; undefined when all are explained. Gives `rows` after each user. */
    unexplained: async function* (rows: number): AsyncGenerator<number, number | undefined> {
      for (const { target, actor, first, last } of emptied.values()) {
        yield rows;
        const recorded = Math.max(await erasedBefore(target), await erasedBefore(actor));
        if (recorded > last) continue;
        return recorded > first ? last : first;
      }
      return undefined;
    },
  };
};
