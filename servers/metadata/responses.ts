import type { FilePage, Files, SingleFile } from '../../core/index.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../http/schema.ts';
import { dekEnc, mimeType, user } from './fields.ts';

const id = {
  type: 'string',
  format: 'uuid',
  examples: ['0199a0b1-a1b2-7c3d-8e4f-5a6b7c8d9e0f'],
} as const;

const filenameEnc = { type: 'string', examples: ['ZW5jcnlwdGVkIG5hbWU='] } as const;
const size = { type: 'integer', minimum: 0, description: 'Bytes of the file', examples: [52_417] } as const;
const uploadedDate = {
  type: 'string',
  format: 'date-time',
  description: 'ISO 8601 in UTC',
  examples: ['2026-11-21T18:00:00.000Z'],
} as const;
const thumb = { type: 'boolean', examples: [true] } as const;
const count = (description: string) =>
  ({ type: 'integer', minimum: 0, description, examples: [12] }) as const;

export const createdResponse = answerOf<AnswerOf<Files['create']>>()({
  type: 'object',
  title: 'CreatedFile',
  properties: { id, filenameEnc, size, user, mimeType, dekEnc, uploadedDate },
  required: ['id', 'filenameEnc', 'size', 'user', 'mimeType', 'dekEnc', 'uploadedDate'],
});

export const singleResponse = answerOf<SingleFile>()({
  type: 'object',
  title: 'SingleFile',
  properties: {
    id,
    filenameEnc,
    size,
    mimeType,
    dekEnc,
    thumbs: {
      type: 'object',
      properties: { mobile: thumb, web: thumb, webPre: thumb },
      required: ['mobile', 'web', 'webPre'],
    },
    uploadedDate,
  },
  required: ['id', 'filenameEnc', 'size', 'mimeType', 'dekEnc', 'thumbs', 'uploadedDate'],
});

export const listResponse = answerOf<FilePage>()({
  type: 'object',
  title: 'FilePage',
  properties: {
    files: {
      type: 'array',
      items: {
        type: 'object',
        title: 'ListedFile',
        properties: { id, filenameEnc, size, mimeType, thumb, uploadedDate },
        required: ['id', 'filenameEnc', 'size', 'mimeType', 'thumb', 'uploadedDate'],
      },
    },
    cursor: {
      type: 'string',
      description: 'The cursor of the next page; absent on the last one',
      examples: ['MTc5NTI4NDAwMDAwMA.c2VjcmV0'],
    },
  },
  required: ['files'],
});

export const deletedResponse = answerOf<AnswerOf<Files['delete']>>()({
  type: 'object',
  properties: { deleted: id },
  required: ['deleted'],
});

const dek = {
  type: 'string',
  description: 'Exactly the text that was wrapped',
  examples: ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
} as const;

const wrapped = {
  type: 'object',
  title: 'WrappedKey',
  properties: { dekEnc },
  required: ['dekEnc'],
} as const satisfies ObjectSchema;

const unwrapped = {
  type: 'object',
  title: 'DataKey',
  properties: { dek },
  required: ['dek'],
} as const satisfies ObjectSchema;

const failed = (code: string) =>
  ({
    type: 'object',
    properties: {
      error: { type: 'string', description: '`invalid_request` for a wrong `context`', examples: [code] },
    },
    required: ['error'],
  }) as const satisfies ObjectSchema;

export const wrappedResponse = answerOf<AnswerOf<Files['wrapKey']>>()(wrapped);
export const unwrappedResponse = answerOf<AnswerOf<Files['unwrapKey']>>()(unwrapped);

export const wrappedBatchResponse = answerOf<AnswerOf<Files['wrapKeys']>>()({
  type: 'object',
  properties: { items: { type: 'array', items: { oneOf: [wrapped, failed('invalid_dek')] } } },
  required: ['items'],
});

export const unwrappedBatchResponse = answerOf<AnswerOf<Files['unwrapKeys']>>()({
  type: 'object',
  properties: { items: { type: 'array', items: { oneOf: [unwrapped, failed('invalid_enc_dek')] } } },
  required: ['items'],
});

export const syncedResponse = answerOf<AnswerOf<Files['syncCache']>>()({
  type: 'object',
  properties: {
    user,
    synced: count('Entries that were written'),
    skipped: count('Selected files that were not'),
  },
  required: ['user', 'synced', 'skipped'],
});

export const prefetchedResponse = answerOf<AnswerOf<Files['prefetch']>>()({
  type: 'object',
  properties: { user, prefetched: count('Entries that were written') },
  required: ['user', 'prefetched'],
});

export const invalidatedResponse = answerOf<AnswerOf<Files['invalidate']>>()({
  type: 'object',
  properties: {
    user,
    type: { type: 'string', enum: ['OUT', 'DEL'] },
    invalidated: count('Entries (`OUT`) or records (`DEL`) that were removed'),
  },
  required: ['user', 'type', 'invalidated'],
});
