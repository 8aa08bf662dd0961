import { deletedFile } from '../../core/files/delete-file.ts';
import { createFileInput, createFileResult, singleFile } from '../../core/files/file-record.ts';
import { filePage, listFilesInput } from '../../core/files/list-files.ts';
import type { Files } from '../../core/index.ts';
import { object, text } from '../../core/schema.ts';
import { ok, okText } from '../http/response-body.ts';
import { type AnyRoute, internal } from '../http/route.ts';
import { answerAll, answerPage } from './stream-records.ts';

const fileParams = object({
  fileId: text({
    description: 'The id that the record was given',
    examples: ['0199a0b1-a1b2-7c3d-8e4f-5a6b7c8d9e0f'],
  }),
});

const NOT_FOUND = { description: 'There is no such file.', errors: ['not_found'] } as const;

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
        : answerPage(await files.listText({ ...input, limit }));
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
      200: { description: 'The record is deleted, from the cache too.', schema: deletedFile },
      404: NOT_FOUND,
    },
    run: async ({ params }) => ok(await files.delete(params.fileId)),
  }),
];
