import type { StringSchema } from '../http/schema.ts';

// These bounds only refuse what no rule could accept. The core has the rules.

export const user = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'The uploader’s user id',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
} as const satisfies StringSchema;

export const dek = {
  type: 'string',
  minLength: 32,
  maxLength: 64,
  description:
    '32 bytes: base64 or base64url of them, 64 hex digits, or 32 printable ASCII characters (space included)',
  examples: ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
} as const satisfies StringSchema;

export const dekEnc = {
  type: 'string',
  minLength: 1,
  maxLength: 2_048,
  description: 'The wrapped data key',
  examples: ['gd1.47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU.c2VhbGVk'],
} as const satisfies StringSchema;

export const context = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  description: 'What the wrapped key is bound to; the same at unwrapping',
  examples: ['file-1'],
} as const satisfies StringSchema;

export const mimeType = {
  type: 'string',
  minLength: 3,
  maxLength: 255,
  description: 'A media type, without parameters',
  examples: ['image/png'],
} as const satisfies StringSchema;
