import { itemOfEntry } from './file-record.ts';
import type { FileEntry, FilePosition, ListedRecord } from './ports.ts';

type FileItem = Pick<ListedRecord, 'id' | 'item'>;

/**
 * Completes a page of a list. An earlier version stored records without an item: their items are made from the entries
 * and passed to `keep`. `keep` is not awaited and runs once at a time; an item that was not stored is made again for the
 * next list.
 */
export const makeCompletePage = (
  findAll: (ids: readonly string[]) => Promise<readonly FileEntry[]>,
  keep: (items: readonly FileItem[]) => Promise<unknown>,
) => {
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

  return async (
    page: readonly (FilePosition & { readonly item: string | undefined })[],
  ): Promise<readonly ListedRecord[]> => {
    const missing = page.filter(({ item }) => item === undefined).map(({ id }) => id);
    if (missing.length === 0) return page as readonly ListedRecord[];
    const completed = (await findAll(missing)).map(({ id, entry }) => ({ id, item: itemOfEntry(entry) }));
    void keepLater(completed);
    const items = new Map(completed.map(({ id, item }) => [id, item]));
    // A record that was removed after the page was read is left out.
    return page.flatMap((record) => {
      const item = record.item ?? items.get(record.id);
      return item === undefined ? [] : { ...record, item };
    });
  };
};
