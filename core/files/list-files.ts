import { makeCursor } from '../cursor.ts';
import { pagesOf } from '../pages.ts';
import { invalidFile } from './errors.ts';
import { acceptUser, type ListedFile, readItem } from './file-record.ts';
import type { Kit } from './kit.ts';
import type { FilePosition } from './ports.ts';

export interface ListFiles {
  readonly userId: string;
  /** From 1 to `listLongest`; all there are when absent. */
  readonly limit?: number;
  /** From the answer before. */
  readonly cursor?: string;
}

export interface FilePage<Item = ListedFile> {
  readonly files: readonly Item[];
  /** There while more follow. */
  readonly cursor?: string;
}

/** Records in the first page of all, when nothing is known of their length. */
const FIRST_PAGE = 25;
const PAGE_CHARACTERS = 131_072;

const asStored = (item: string): string => item;

export const makeListFiles = ({ digest, files, policy }: Pick<Kit, 'digest' | 'files' | 'policy'>) => {
  const cursorOf = (user: string) => makeCursor(digest, `files:${user}`);

  const startOf = ({ userId, limit, cursor }: ListFiles): FilePosition | null => {
    acceptUser(userId, policy, 'userId');
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= policy.listLongest)) {
      throw invalidFile(`'limit' must be from 1 to ${policy.listLongest}.`);
    }
    if (cursor === undefined) return null;
    const position = cursorOf(userId).read(cursor);
    if (position === undefined) throw invalidFile("'cursor' is not one that an answer gave.");
    return { uploadedAt: position.time, id: position.id };
  };

  /** One page of `limit` files. */
  const page =
    <Item>(made: (item: string) => Item) =>
    async (input: ListFiles & { readonly limit: number }): Promise<FilePage<Item>> => {
      const found = await files.list(input.userId, startOf(input), input.limit + 1);
      const shown = found.slice(0, input.limit);
      const last = shown.at(-1);
      const items = { files: shown.map(({ item }) => made(item)) };
      if (found.length <= input.limit || last === undefined) return items;
      return { ...items, cursor: cursorOf(input.userId).write({ time: last.uploadedAt, id: last.id }) };
    };

  /** All of them, a page at a time, so that the memory it takes does not grow with their number. */
  const all = <Item>(made: (item: string) => Item) =>
    async function* (input: Omit<ListFiles, 'limit'>): AsyncGenerator<readonly Item[], void> {
      const start = startOf(input);
      // Items may be forty times as long as most are: a page holds as many as fit into some hundred kilobytes.
      let limit = Math.min(FIRST_PAGE, policy.page);
      let after = start;
      for (;;) {
        const found = await files.list(input.userId, after, limit);
        if (found.length > 0) yield found.map(({ item }) => made(item));
        const last = found.at(-1);
        if (last === undefined || found.length < limit) return;
        after = { uploadedAt: last.uploadedAt, id: last.id };
        const length = found.reduce((sum, { item }) => sum + item.length, 0) / found.length;
        limit = Math.min(policy.page, Math.max(1, Math.floor(PAGE_CHARACTERS / length)));
      }
    };

  return {
    page: page(readItem),
    all: all(readItem),
    /** The same, each item as its JSON text. */
    pageText: page(asStored),
    allText: all(asStored),
  };
};

export const makeCountFilesOf =
  ({ files, policy }: Pick<Kit, 'files' | 'policy'>) =>
  async (user: string): Promise<number> => {
    let count = 0;
    const pages = pagesOf<FilePosition>(policy.page, (after, limit) => files.listSizes(user, after, limit));
    for await (const page of pages) count += page.length;
    return count;
  };
