import { SIX_DIGITS, TYPED_CODE } from '../../core/accounts/codes.ts';
import { NEW_DISPLAY_NAME } from '../../core/accounts/display-name.ts';
import { EMAIL } from '../../core/accounts/email.ts';
import { PASSWORD } from '../../core/accounts/password-rules.ts';
import type { StringSchema } from '../http/schema.ts';

// These bounds only refuse what no rule could accept. The core has the rules.

export {
  EMAIL as email,
  NEW_DISPLAY_NAME as displayName,
  PASSWORD as password,
  SIX_DIGITS as code,
  TYPED_CODE as typedCode,
};

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
