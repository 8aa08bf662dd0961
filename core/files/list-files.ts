import { makeCursor } from '../cursor.ts';
import { pagesOf } from '../pagination.ts';
import { integer, list, object, optional, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import { invalidFile } from './errors.ts';
import { acceptUser, type ListedFile, listedFile, readItem, USER } from './file-record.ts';
import type { FilePosition } from './ports.ts';

export const listFilesInput = object({
  userId: USER,
  limit: optional(
    integer({ minimum: 1, maximum: 1_000, description: 'The most files in one answer; all if absent' }),
  ),
  cursor: optional(text({ maxLength: 256, description: 'The cursor from the previous answer' })),
});
export type ListFilesInput = TypeOf<typeof listFilesInput>;

export const filePage = object(
  {
    files: list(listedFile),
    cursor: optional(
      text({
        description: 'The cursor of the next page; absent on the last one',
        examples: ['MTc5NTI4NDAwMDAwMA.c2VjcmV0'],
      }),
    ),
  },
  { title: 'FilePage' },
);
export interface FilePage<Item = ListedFile> extends Omit<TypeOf<typeof filePage>, 'files'> {
  readonly files: readonly Item[];
}

/** Records in the first page of a complete list, before the average length of the items is known. */
const FIRST_PAGE = 25;
const PAGE_CHARACTERS = 131_072;

const asStored = (item: string): string => item;

export const makeListFiles = ({ digest, files, policy }: Pick<Deps, 'digest' | 'files' | 'policy'>) => {
  const cursorOf = (user: string) => makeCursor(digest, `files:${user}`);

  const startOf = ({ userId, limit, cursor }: ListFilesInput): FilePosition | null => {
    acceptUser(userId, policy, 'userId');
    if (limit !== undefined && limit > policy.listLongest) {
      throw invalidFile(`'limit' must be from 1 to ${policy.listLongest}.`);
    }
    if (cursor === undefined) return null;
    const position = cursorOf(userId).read(cursor);
    if (position === undefined) throw invalidFile("'cursor' is not from this list.");
    return { uploadedAt: position.time, id: position.id };
  };

  const readPage =
    <Item>(itemFrom: (item: string) => Item) =>
    async (input: ListFilesInput & { readonly limit: number }): Promise<FilePage<Item>> => {
      const records = await files.list(input.userId, startOf(input), input.limit + 1);
      const pageRecords = records.slice(0, input.limit);
      const last = pageRecords.at(-1);
      const page = { files: pageRecords.map(({ item }) => itemFrom(item)) };
      if (records.length <= input.limit || last === undefined) return page;
      return { ...page, cursor: cursorOf(input.userId).write({ time: last.uploadedAt, id: last.id }) };
    };

  /** Reads all files a page at a time, so that the memory does not grow with their number. */
  const readAll = <Item>(itemFrom: (item: string) => Item) =>
    async function* (input: Omit<ListFilesInput, 'limit'>): AsyncGenerator<readonly Item[], void> {
      // Some items are forty times longer than the average, so the characters of a page are limited, too.
      let limit = Math.min(FIRST_PAGE, policy.page);
      let after = startOf(input);
      for (;;) {
        const records = await files.list(input.userId, after, limit);
        if (records.length > 0) yield records.map(({ item }) => itemFrom(item));
        const last = records.at(-1);
        if (last === undefined || records.length < limit) return;
        after = { uploadedAt: last.uploadedAt, id: last.id };
        const average = records.reduce((sum, { item }) => sum + item.length, 0) / records.length;
        limit = Math.min(policy.page, Math.max(1, Math.floor(PAGE_CHARACTERS / average)));
      }
    };

  return {
    page: readPage(readItem),
    all: readAll(readItem),
    /** Each item as its JSON text. */
    pageText: readPage(asStored),
    allText: readAll(asStored),
  };
};

export const makeCountFilesOf =
  ({ files, policy }: Pick<Deps, 'files' | 'policy'>) =>
  async (user: string): Promise<number> => {
    let count = 0;
    const pages = pagesOf<FilePosition>(policy.page, (after, limit) => files.listSizes(user, after, limit));
    for await (const page of pages) count += page.length;
    return count;
  };
