import { count, optional, text } from './schema.ts';

export const pageMembers = {
  cursor: optional(text({ maxLength: 1_500, description: 'From the answer before' })),
  limit: optional(
    count({ description: 'The most entries of one answer: 50 when absent; more than 200 counts as 200' }),
  ),
};

export const NEXT_CURSOR = optional(
  text({
    description: 'There while more may follow: for the next page',
    examples: ['MTc5NTI4NDAwMDAwMA.c2VjcmV0'],
  }),
);

/** Where a search stopped because it had read as many entries as one call may. */
export const searchedTo = (searchedUntil: string) =>
  optional(
    text({
      description: `There when the search gave up after 5,000 entries: ${searchedUntil}. The cursor goes on behind it`,
      examples: ['2026-11-21T18:00:00.000Z'],
    }),
  );

/** The items in parts of at most `size`. */
export const partsOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );

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

/** The items of pages, one after another. */
export async function* itemsOf<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<Item, void> {
  for await (const page of pages) yield* page;
}

interface PageSizes {
  readonly adminPageDefault: number;
  readonly adminPageLongest: number;
}

/** The entries of one answer: the usual number unless the caller names another, up to the most. */
export const pageSizeOf = (sizes: PageSizes, limit = sizes.adminPageDefault): number =>
  Math.min(limit, sizes.adminPageLongest);

/** The page from items that were read with one more than `size`. `last` is its last item, undefined if no more follow. */
export const cutPage = <Item>(
  items: readonly Item[],
  size: number,
): { readonly page: readonly Item[]; readonly last: Item | undefined } => {
  const page = items.slice(0, size);
  return { page, last: items.length > size ? page.at(-1) : undefined };
};

/**
 * Reads consecutive ranges until there are `limit` items. In an order by time and id, for example, the items behind a position
 * are those of the same time with a later id, then those of later times. If both were one condition, a store would scan all
 * items of that time.
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
