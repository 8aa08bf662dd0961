/**
 * Goes through a list that is kept in order, a page at a time, so that the memory it takes does not grow with the list.
 * `read` gives at most `limit` items behind the one it is given (null: from the first).
 */
export async function* pagesOf<Item>(
  limit: number,
  read: (after: Item | null, limit: number) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[], void> {
  let after: Item | null = null;
  for (;;) {
    const page: readonly Item[] = await read(after, limit);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    after = last;
  }
}

/**
 * Reads ranges that follow one another until there are `limit` items. In an order by several keys, what lies behind a
 * position is a range for each key. As one condition they would make a store pass over all that ties with the position.
 */
export const readRanges = async <Item>(
  limit: number,
  ranges: readonly ((limit: number) => readonly Item[] | Promise<readonly Item[]>)[],
): Promise<readonly Item[]> => {
  const found: Item[] = [];
  for (const read of ranges) {
    if (found.length >= limit) break;
    found.push(...(await read(limit - found.length)));
  }
  return found;
};

/** The first `limit` different values of lists that follow one another, each read in pages of `page` items. */
export const firstDifferent = async <Item, Value>(
  limit: number,
  page: number,
  lists: readonly ((after: Item | null, limit: number) => Promise<readonly Item[]>)[],
  pick: (item: Item) => Value,
): Promise<readonly Value[]> => {
  const values = new Set<Value>();
  for (const list of lists) {
    for await (const items of pagesOf(page, list)) {
      for (const item of items) {
        values.add(pick(item));
        if (values.size === limit) return [...values];
      }
    }
  }
  return [...values];
};
