import type { FlowStart } from '../../../core/index.ts';
import { type StringSchema, schemaOf } from '../../http/schema.ts';

// These bounds only refuse what no rule could accept. The core has the rules.

export const provider = {
  type: 'string',
  maxLength: 64,
  description: 'The provider’s id',
  examples: ['google'],
} as const satisfies StringSchema;

export const redirectUri = {
  type: 'string',
  maxLength: 4_096,
  description: 'One of `SIGN_IN_REDIRECTS`, as text',
  examples: ['https://app.example.com/signed-in'],
} as const satisfies StringSchema;

export const challenge = {
  type: 'string',
  maxLength: 512,
  description: 'SHA-256 of the verifier as base64url (RFC 7636)',
  examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
} as const satisfies StringSchema;

export const state = {
  type: 'string',
  maxLength: 4_096,
  description: 'Chosen by the client, 16 to 512 printable ASCII characters; it comes back with the code',
  examples: ['af0ifjsldkj-af0ifjsldkj'],
} as const satisfies StringSchema;

export const providerParams = schemaOf<{ readonly id: string }>()({
  type: 'object',
  properties: { id: provider },
  required: ['id'],
});

export const beginBody = schemaOf<FlowStart>()({
  type: 'object',
  properties: { redirectUri, challenge, state },
  required: ['redirectUri', 'challenge', 'state'],
});
