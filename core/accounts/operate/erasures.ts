import type { Kit } from '../kit.ts';
import type { AuditRow } from '../ports.ts';
import { readContent } from './audit-rows.ts';

interface Erased {
  readonly target: string;
  readonly actor: string;
  readonly first: number;
  last: number;
}

/**
 * Watches for rows that were emptied though no later row says that the user they name was erased: whoever can write to
 * the store could hide a row so.
 */
export const makeErasures = ({ accounts }: Pick<Kit, 'accounts'>) => {
  const emptied = new Map<string, Erased>();
  const recordedAt = new Map<string, number>();
  let count = 0;

  /** Whether the erasure is under way: emptied already, and to be recorded next. */
  const isUnderWay = async (userId: string): Promise<boolean> =>
    (await accounts.find(userId))?.pending.some(
      (entry) => entry.kind === 'task' && entry.task === 'erase-audit',
    ) ?? false;

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
    /** The number of a row that nothing explains; undefined when all are explained. */
    unexplained: async (): Promise<number | undefined> => {
      for (const { target, actor, first, last } of emptied.values()) {
        const recorded = Math.max(recordedAt.get(target) ?? 0, recordedAt.get(actor) ?? 0);
        if (recorded > last || (await isUnderWay(target)) || (await isUnderWay(actor))) continue;
        return recorded > first ? last : first;
      }
      return undefined;
    },
  };
};
