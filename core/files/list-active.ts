import type { ActivityPosition } from './ports.ts';

/** Reads parts of the ranking of a user's records: most accesses first, then the most recent, then by id. */
export interface ActivityRanking<Item extends ActivityPosition> {
  /** Active records with the same number of accesses as the position, and behind it. */
  ofCount(position: ActivityPosition, limit: number): Promise<readonly Item[]>;
  /** Records with fewer accesses, whenever their last access was. */
  below(accesses: number, limit: number): Promise<readonly Item[]>;
}

/**
 * Lists the active records behind a position. A record is active if its last access was at `since` or later. `below` reads
 * records in the order of an index, so the inactive ones are left out here.
 */
export const listActive = async <Item extends ActivityPosition>(
  { ofCount, below }: ActivityRanking<Item>,
  since: number,
  after: ActivityPosition | null,
  limit: number,
): Promise<readonly Item[]> => {
  const active = after === null ? [] : [...(await ofCount(after, limit))];
  let accesses = after?.accesses ?? Number.MAX_SAFE_INTEGER;
  while (active.length < limit) {
    const size = limit - active.length;
    const page = await below(accesses, size);
    active.push(...page.filter(({ accessedAt }) => accessedAt >= since));
    const last = page.at(-1);
    if (last === undefined || page.length < size) break;
    // The next page begins below the count of this page's last record, so `ofCount` reads the remaining records with the same
    // count. If the last record is not active, they are not either: their last accesses were earlier still.
    if (last.accessedAt >= since && active.length < limit)
      active.push(...(await ofCount(last, limit - active.length)));
    accesses = last.accesses;
  }
  return active;
};
