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
