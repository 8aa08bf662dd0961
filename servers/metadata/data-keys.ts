import type { Files, UnwrapKeyInput, WrapKeyInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, internal } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { context, dek, dekEnc } from './fields.ts';
import {
  unwrappedBatchResponse,
  unwrappedResponse,
  wrappedBatchResponse,
  wrappedResponse,
} from './responses.ts';

const wrapBody = schemaOf<WrapKeyInput>()({
  type: 'object',
  properties: { dek, context },
  required: ['dek'],
});

const unwrapBody = schemaOf<UnwrapKeyInput>()({
  type: 'object',
  properties: { dekEnc, context },
  required: ['dekEnc'],
});

/** Each item is validated by itself, so that a wrong one does not fail the others. */
const batchBody = schemaOf<{ readonly items: readonly unknown[] }>()({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: { description: 'What the call for a single key takes as its body' },
      minItems: 1,
      maxItems: 100,
    },
  },
  required: ['items'],
});

/** The most bytes: a hundred items of the greatest length. */
const BATCH_LONGEST = 1_048_576;

const DOWN = { description: 'The key service is down.', errors: ['kms_unavailable'] };
const INVALID_DEK = { description: 'No data key.', errors: ['invalid_dek'] };
const INVALID_ENC_DEK = {
  description: 'It was not wrapped here, was changed since, or is bound to another context.',
  errors: ['invalid_enc_dek'],
};

/** Wrapping of data keys under the master key: spec section 4.2. */
export const dataKeyRoutes = (files: Files): readonly AnyRoute[] => [
  internal({
    method: 'POST',
    path: '/api/v1/dek/wrap',
    summary: 'Wrap a data key under the master key',
    body: wrapBody,
    fieldCodes: { dek: 'invalid_dek' },
    answers: {
      200: { description: 'The wrapped key.', schema: wrappedResponse },
      400: INVALID_DEK,
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.wrapKey(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/dek/unwrap',
    summary: 'Unwrap a data key',
    body: unwrapBody,
    fieldCodes: { dekEnc: 'invalid_enc_dek' },
    answers: {
      200: { description: 'Exactly the text that was wrapped.', schema: unwrappedResponse },
      400: INVALID_ENC_DEK,
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.unwrapKey(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/dek/wrap/batch',
    summary: 'Wrap up to 100 data keys',
    body: batchBody,
    example: { body: { items: [{ dek: dek.examples[0] }] } },
    bodyLongest: BATCH_LONGEST,
    answers: {
      200: { description: 'A wrapped key or an `error` for each, in order.', schema: wrappedBatchResponse },
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.wrapKeys(body.items)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/dek/unwrap/batch',
    summary: 'Unwrap up to 100 data keys',
    body: batchBody,
    example: { body: { items: [{ dekEnc: dekEnc.examples[0] }] } },
    bodyLongest: BATCH_LONGEST,
    answers: {
      200: { description: 'A key or an `error` for each, in order.', schema: unwrappedBatchResponse },
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.unwrapKeys(body.items)),
  }),
];
