import type { StringSchema } from '../http/schema.ts';

// These bounds only refuse what no rule could accept. The core has the rules.

export const email = {
  type: 'string',
  maxLength: 1_000,
  description: 'Email address',
  examples: ['ada@example.com'],
} as const;

/** Longer than the 256 characters allowed, since NFKC can shorten a text. The core counts them. */
export const password = {
  type: 'string',
  minLength: 1,
  maxLength: 1_024,
  description: 'Of 8 to 256 characters',
  examples: ['correct horse battery'],
} as const;

export const displayName = {
  type: 'string',
  maxLength: 1_000,
  description: 'At most 100 characters',
  examples: ['Ada Lovelace'],
} as const;

export const code = {
  type: 'string',
  minLength: 6,
  maxLength: 6,
  description: 'The six digits from the mail',
  examples: ['493021'],
} as const satisfies StringSchema;

export const typedCode = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'The ten characters from the mail; case, blanks and dashes do not matter',
  examples: ['7KQ2M-XW4RT'],
} as const satisfies StringSchema;

export const verificationCode = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'A code of the authenticator app, or a recovery code',
  examples: ['287082'],
} as const satisfies StringSchema;

/** The browser's response, as `toJSON()` returns it. The core validates it. */
export const credential = (owner: string) =>
  ({
    type: 'object',
    description: `\`${owner}\` (WebAuthn Level 3): what \`toJSON()\` of the credential gives`,
    examples: [{ id: 'Y3JlZGVudGlhbA', rawId: 'Y3JlZGVudGlhbA', type: 'public-key', response: {} }],
  }) as const;

export const passkeyFlow = {
  type: 'string',
  minLength: 1,
  maxLength: 4_096,
  description: 'From the begin call, unchanged; valid for 5 minutes',
  examples: ['c2VhbGVk'],
} as const satisfies StringSchema;

/** The answer of a passkey, in place of a code. */
export const passkeyAnswer = {
  type: 'object',
  title: 'PasskeyAnswer',
  description: 'The answer of a passkey',
  properties: { flow: passkeyFlow, credential: credential('AuthenticationResponseJSON') },
  required: ['flow', 'credential'],
} as const;

export const flowCode = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'From the address to which a sign-in with a provider came back; valid once, for a minute',
  examples: ['c2lnbi1pbg.Y29kZQ'],
} as const satisfies StringSchema;

export const verifier = {
  type: 'string',
  minLength: 43,
  maxLength: 128,
  description: 'The code verifier of the challenge (RFC 7636)',
  examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
} as const satisfies StringSchema;

export const token = {
  type: 'string',
  minLength: 1,
  maxLength: 4_096,
  examples: ['c2VjcmV0'],
} as const satisfies StringSchema;

export const service = {
  type: 'string',
  maxLength: 64,
  description: 'The only service: `DROP`',
  examples: ['DROP'],
} as const satisfies StringSchema;

/** A limit of the user's own. Null restores the limit of the tier. */
export const limit = { type: ['number', 'null'], minimum: 0 } as const;
