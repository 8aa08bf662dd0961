import { itemOfEntry } from './file-record.ts';
import type { FileEntry, FilePosition, FileStore, ListedRecord } from './ports.ts';

type FileItem = Pick<ListedRecord, 'id' | 'item'>;

/** A record of a list; an earlier version stored records without an item. */
export interface StoredRecord extends FilePosition {
  readonly item: string | undefined;
}

/**
 * Makes a store's `list` from its pages. Missing items are made from the entries and passed to `keep`. `keep` is not awaited and
 * runs once at a time; an item that was not stored is made again for the next list.
 */
export const makeListWithItems = (
  readPage: (user: string, after: FilePosition | null, limit: number) => Promise<readonly StoredRecord[]>,
  findAll: (ids: readonly string[]) => Promise<readonly FileEntry[]>,
  keep: (items: readonly FileItem[]) => Promise<unknown>,
): FileStore['list'] => {
  let isKeeping = false;
  const keepLater = async (items: readonly FileItem[]): Promise<void> => {
    if (isKeeping) return;
    isKeeping = true;
    try {
      await keep(items);
    } catch {
      // If the store is unavailable or read-only, the list is complete nevertheless.
    } finally {
      isKeeping = false;
    }
  };

  const listWithItems: FileStore['list'] = async (user, after, limit) => {
    const page = await readPage(user, after, limit);
    const missing = page.filter(({ item }) => item === undefined).map(({ id }) => id);
    if (missing.length === 0) return page as readonly ListedRecord[];
    const completed = (await findAll(missing)).map(({ id, entry }) => ({ id, item: itemOfEntry(entry) }));
    void keepLater(completed);
    const items = new Map(completed.map(({ id, item }) => [id, item]));
    // A record that was removed after the page was read is left out.
    const records = page.flatMap((record) => {
      const item = record.item ?? items.get(record.id);
      return item === undefined ? [] : { ...record, item };
    });
    const last = page.at(-1);
    if (records.length === page.length || page.length < limit || last === undefined) return records;
    // The next records take the places of the removed ones: callers take a short page for the last one.
    return [...records, ...(await listWithItems(user, last, limit - records.length))];
  };
  return listWithItems;
};
