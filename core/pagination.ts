/**
 * Reads an ordered list a page at a time, so that the memory does not grow with the list. `read` returns at most `limit`
 * items behind the given item (null: from the first).
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
 * Reads consecutive ranges until there are `limit` items. In an order by several keys, the items behind a position are one
 * range per key. As a single condition, a store would scan all items that tie with the position.
 */
export const readRanges = async <Item>(
  limit: number,
  ranges: readonly ((limit: number) => readonly Item[] | Promise<readonly Item[]>)[],
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (const read of ranges) {
    if (items.length >= limit) break;
    items.push(...(await read(limit - items.length)));
  }
  return items;
};

/** The first `limit` different values of consecutive lists, each read in pages of `page` items. */
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
