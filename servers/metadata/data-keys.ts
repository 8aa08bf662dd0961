import {
  DEK_EXAMPLE,
  dataKey,
  unwrapKeyInput,
  WRAPPED_KEY_EXAMPLE,
  wrapKeyInput,
  wrappedKey,
} from '../../core/files/data-key.ts';
import { keysInput, unwrappedKeys, wrappedKeys } from '../../core/files/data-key-batch.ts';
import type { Files } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, internal } from '../http/route.ts';

/** Room for a hundred items of the greatest length. */
const BATCH_BYTES_MOST = 1_048_576;

const KEY_SERVICE_DOWN = { description: 'The key service is down.', errors: ['kms_unavailable'] } as const;
const INVALID_DEK = { description: 'The text is not a data key.', errors: ['invalid_dek'] } as const;
const INVALID_ENC_DEK = {
  description: 'The key was not wrapped here, was changed since, or is bound to another context.',
  errors: ['invalid_enc_dek'],
} as const;

/** Wrapping of data keys under the master key: spec section 4.2. */
export const dataKeyRoutes = (files: Files): readonly AnyRoute[] => [
  internal({
    method: 'POST',
    path: '/api/v1/dek/wrap',
    summary: 'Wrap a data key under the master key',
    body: wrapKeyInput,
    fieldCodes: { dek: 'invalid_dek' },
    answers: {
      200: { description: 'The wrapped key.', schema: wrappedKey },
      400: INVALID_DEK,
      503: KEY_SERVICE_DOWN,
    },
    run: async ({ body }) => ok(await files.wrapKey(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/dek/unwrap',
    summary: 'Unwrap a data key',
    body: unwrapKeyInput,
    fieldCodes: { dekEnc: 'invalid_enc_dek' },
    answers: {
      200: { description: 'Exactly the text that was wrapped.', schema: dataKey },
      400: INVALID_ENC_DEK,
      503: KEY_SERVICE_DOWN,
    },
    run: async ({ body }) => ok(await files.unwrapKey(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/dek/wrap/batch',
    summary: 'Wrap up to 100 data keys',
    body: keysInput,
    example: { body: { items: [{ dek: DEK_EXAMPLE }] } },
    bodyLongest: BATCH_BYTES_MOST,
    answers: {
      200: { description: 'A wrapped key or an `error` for each, in order.', schema: wrappedKeys },
      503: KEY_SERVICE_DOWN,
    },
    run: async ({ body }) => ok(await files.wrapKeys(body.items)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/dek/unwrap/batch',
    summary: 'Unwrap up to 100 data keys',
    body: keysInput,
    example: { body: { items: [{ dekEnc: WRAPPED_KEY_EXAMPLE }] } },
    bodyLongest: BATCH_BYTES_MOST,
    answers: {
      200: { description: 'A key or an `error` for each, in order.', schema: unwrappedKeys },
      503: KEY_SERVICE_DOWN,
    },
    run: async ({ body }) => ok(await files.unwrapKeys(body.items)),
  }),
];
