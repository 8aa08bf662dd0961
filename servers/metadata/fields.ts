import type { StringSchema } from '../http/schema.ts';

// Bounds here only keep out what no rule could accept; the rules themselves are the core's.

export const user = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'The uploader’s user id',
} as const satisfies StringSchema;

export const dek = {
  type: 'string',
  minLength: 32,
  maxLength: 64,
  description:
    '32 bytes: base64 or base64url of them, 64 hex digits, or 32 printable ASCII characters (space included)',
} as const satisfies StringSchema;

export const dekEnc = {
  type: 'string',
  minLength: 1,
  maxLength: 2_048,
  description: 'The wrapped data key',
} as const satisfies StringSchema;

export const context = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  description: 'What the wrapped key is bound to; the same at unwrapping',
} as const satisfies StringSchema;
