import { itemOfEntry } from './file-record.ts';
import type { FileEntry, FilePosition, FileStore, ListedRecord } from './ports.ts';

type FileItem = Pick<ListedRecord, 'id' | 'item'>;

/** A record of a list. An earlier version stored records without an item. */
export interface StoredRecord extends FilePosition {
  readonly item: string | undefined;
}

/**
 * Makes a store's `list` from its pages. Missing items are made from the entries and passed to `storeItems`, which is not awaited
 * and runs once at a time. An item that could not be stored is made again for the next list.
 */
export const makeListWithItems = (
  readPage: (user: string, after: FilePosition | null, limit: number) => Promise<readonly StoredRecord[]>,
  findAll: (ids: readonly string[]) => Promise<readonly FileEntry[]>,
  storeItems: (items: readonly FileItem[]) => Promise<unknown>,
): FileStore['list'] => {
  let isStoring = false;
  const tryStoreItems = async (items: readonly FileItem[]): Promise<void> => {
    if (isStoring) return;
    isStoring = true;
    try {
      await storeItems(items);
    } catch {
      // The store may be unavailable or read-only. The list does not need the stored items.
    } finally {
      isStoring = false;
    }
  };

  const listWithItems: FileStore['list'] = async (user, after, limit) => {
    const page = await readPage(user, after, limit);
    const missing = page.filter(({ item }) => item === undefined).map(({ id }) => id);
    if (missing.length === 0) return page as readonly ListedRecord[];
    const completed = (await findAll(missing)).map(({ id, entry }) => ({ id, item: itemOfEntry(entry) }));
    void tryStoreItems(completed);
    const items = new Map(completed.map(({ id, item }) => [id, item]));
    // A record that was removed after the page was read is left out.
    const records = page.flatMap((record) => {
      const item = record.item ?? items.get(record.id);
      return item === undefined ? [] : { ...record, item };
    });
    const last = page.at(-1);
    if (records.length === page.length || page.length < limit || last === undefined) return records;
    // The next records take the places of the removed ones, since callers would take a page that is not full for the last page.
    return [...records, ...(await listWithItems(user, last, limit - records.length))];
  };
  return listWithItems;
};
