import { Readable } from 'node:stream';
import { deletedFile } from '../../core/files/delete-file.ts';
import { createFileInput, createFileResult, singleFile } from '../../core/files/file-record.ts';
import { filePage, listFilesInput } from '../../core/files/list-files.ts';
import type { FilePage, Files } from '../../core/index.ts';
import { object, text } from '../../core/schema.ts';
import { ok, okText, type ResponseBody } from '../http/response-body.ts';
import { type AnyRoute, internal } from '../http/route.ts';

const fileParams = object({
  fileId: text({
    description: 'The id that the record was given',
    examples: ['0199a0b1-a1b2-7c3d-8e4f-5a6b7c8d9e0f'],
  }),
});

const NOT_FOUND = { description: 'There is no such file.', errors: ['not_found'] };

/** The items of a list, each as JSON text. */
type Items = readonly string[];
type Pages = AsyncGenerator<Items, void>;

/** The most characters of a list that is sent in one piece, which takes a third of the time of a stream. */
const ONE_PIECE = 65_536;

async function* textOf(former: readonly Items[], pages: Pages): AsyncGenerator<string> {
  yield `{"files":[${former.flat().join()}`;
  for await (const page of pages) yield `,${page.join()}`;
  yield ']}';
}

/** The complete list. A long one is streamed, once its first page has been read without an error. */
const answerAll = async (pages: Pages): Promise<ResponseBody<FilePage>> => {
  const former: Items[] = [];
  let length = 0;
  // A single page is sent in one piece, whatever its length.
  while (length < ONE_PIECE || former.length < 2) {
    const page = await pages.next();
    if (page.done) return okText(`{"files":[${former.flat().join()}]}`);
    former.push(page.value);
    length += page.value.reduce((sum, item) => sum + item.length, 0);
  }
  const text = Readable.from(textOf(former, pages));
  // Ends the stream even if nobody reads it: the client may be gone, or the request is a HEAD.
  // A generator without a `finally` has nothing that could fail then.
  text.once('close', () => void pages.return());
  return okText(text);
};

const pageText = ({ files, cursor }: FilePage<string>): string =>
  `{"files":[${files.join()}]${cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`}}`;

/** Records of uploaded files: spec section 4.2. */
export const recordRoutes = (files: Files): readonly AnyRoute[] => [
  internal({
    method: 'POST',
    path: '/api/v1/meta',
    summary: 'Record an uploaded file',
    body: createFileInput,
    answers: {
      200: { description: 'The record, with the id and time it was given.', schema: createFileResult },
      404: { description: 'The user’s account was deleted.', errors: ['user_not_found'] },
    },
    run: async ({ body }) => ok(await files.create(body)),
  }),
  internal({
    method: 'GET',
    path: '/api/v1/meta',
    summary: 'List a user’s files, newest first',
    query: listFilesInput,
    answers: {
      200: {
        description: 'The files, without their wrapped keys; `cursor` while there is more.',
        schema: filePage,
      },
    },
    run: async ({ query: { userId, limit, cursor } }) => {
      const input = { userId, ...(cursor !== undefined && { cursor }) };
      return limit === undefined
        ? answerAll(files.listAllText(input))
        : okText(pageText(await files.listText({ ...input, limit })));
    },
  }),
  internal({
    method: 'GET',
    path: '/api/v1/meta/{fileId}',
    summary: 'One record',
    params: fileParams,
    answers: { 200: { description: 'The record.', schema: singleFile }, 404: NOT_FOUND },
    run: async ({ params }) => okText(await files.read(params.fileId)),
  }),
  internal({
    method: 'DELETE',
    path: '/api/v1/meta/{fileId}',
    summary: 'Delete a record for good',
    params: fileParams,
    answers: {
      200: { description: 'It is deleted, from the cache too.', schema: deletedFile },
      404: NOT_FOUND,
    },
    run: async ({ params }) => ok(await files.delete(params.fileId)),
  }),
];
