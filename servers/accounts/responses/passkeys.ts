import type { PasskeySignIn } from '../../../core/index.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../../http/schema.ts';
import { flag, isTrue, time } from './parts.ts';

const base64url = (description: string, example: string) =>
  ({ type: 'string', description, examples: [example] }) as const;

const credentialId = base64url('Of the credential, as base64url', 'Y3JlZGVudGlhbA');
const rpId = base64url('The domain for which passkeys are made', 'example.com');
const challenge = base64url('32 random bytes', '_N-8gLsD7Mr1bDVQ2mc9Iv0XnXHb0c5F2yZrXg8kZ0s');

const transports = {
  type: 'array',
  description: 'How browsers reach it',
  items: { type: 'string', examples: ['internal'] },
} as const;

const timeout = { type: 'integer', description: 'Milliseconds', minimum: 0, examples: [300_000] } as const;

const flow = base64url('To be sent back with the answer, unchanged; good for 5 minutes', 'c2VhbGVk');

const namedCredentials = {
  type: 'array',
  items: {
    type: 'object',
    title: 'NamedCredential',
    properties: { type: { type: 'string', const: 'public-key' }, id: credentialId, transports },
    required: ['type', 'id', 'transports'],
  },
} as const;

export const passkey = {
  type: 'object',
  title: 'Passkey',
  properties: {
    id: { type: 'string', format: 'uuid', examples: ['0199a0b1-9c1d-7e20-a4b5-3d6f8e1c2a70'] },
    credentialId,
    name: { type: 'string', examples: ['Phone'] },
    createdAt: time,
    lastUsedAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'To the hour; null before the first use',
      examples: ['2026-11-21T18:00:00.000Z'],
    },
    transports,
    backedUp: flag('Whether other devices of its owner have it, too', true),
    userVerified: flag(
      'Whether it ever asked for a PIN or a fingerprint: only then one may sign in by it',
      true,
    ),
    rpId,
    aaguid: base64url('The kind of authenticator', 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'),
  },
  required: [
    ...(['id', 'credentialId', 'name', 'createdAt', 'lastUsedAt', 'transports'] as const),
    ...(['backedUp', 'userVerified', 'rpId', 'aaguid'] as const),
  ],
} as const satisfies ObjectSchema;

const passkeys = { type: 'array', maxItems: 20, items: passkey } as const;

export const begunPasskeyResponse = answerOf<AnswerOf<PasskeySignIn['begin']>>()({
  type: 'object',
  title: 'BegunPasskey',
  properties: {
    options: {
      type: 'object',
      title: 'PasskeyCreationOptions',
      description: '`PublicKeyCredentialCreationOptionsJSON`, for `navigator.credentials.create()`',
      properties: {
        rp: {
          type: 'object',
          properties: { id: rpId, name: { type: 'string', examples: ['Gatehouse'] } },
          required: ['id', 'name'],
        },
        user: {
          type: 'object',
          properties: {
            id: base64url('What passkeys know the account by', 'aGFuZGxl'),
            name: { type: 'string', examples: ['ada@example.com'] },
            displayName: { type: 'string', examples: ['Ada Lovelace'] },
          },
          required: ['id', 'name', 'displayName'],
        },
        challenge,
        pubKeyCredParams: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              type: { type: 'string', const: 'public-key' },
              alg: { type: 'integer', description: 'IANA COSE Algorithms', examples: [-7] },
            },
            required: ['type', 'alg'],
          },
        },
        timeout,
        excludeCredentials: namedCredentials,
        authenticatorSelection: {
          type: 'object',
          properties: {
            residentKey: { type: 'string', const: 'preferred' },
            userVerification: { type: 'string', const: 'preferred' },
          },
          required: ['residentKey', 'userVerification'],
        },
        attestation: { type: 'string', const: 'none' },
        extensions: { type: 'object', properties: { credProps: isTrue }, required: ['credProps'] },
      },
      required: [
        ...(['rp', 'user', 'challenge', 'pubKeyCredParams', 'timeout', 'excludeCredentials'] as const),
        ...(['authenticatorSelection', 'attestation', 'extensions'] as const),
      ],
    },
    flow,
  },
  required: ['options', 'flow'],
});

export const askedPasskeyResponse = answerOf<AnswerOf<PasskeySignIn['beginLogin']>>()({
  type: 'object',
  title: 'AskedPasskey',
  properties: {
    options: {
      type: 'object',
      title: 'PasskeyRequestOptions',
      description: '`PublicKeyCredentialRequestOptionsJSON`, for `navigator.credentials.get()`',
      properties: {
        challenge,
        rpId,
        timeout,
        allowCredentials: namedCredentials,
        userVerification: { type: 'string', enum: ['required', 'preferred'], examples: ['required'] },
      },
      required: ['challenge', 'rpId', 'timeout', 'allowCredentials', 'userVerification'],
    },
    flow,
  },
  required: ['options', 'flow'],
});

export const passkeyResponse = answerOf<AnswerOf<PasskeySignIn['register']>>()({
  type: 'object',
  properties: { passkey },
  required: ['passkey'],
});

export const passkeysResponse = answerOf<AnswerOf<PasskeySignIn['list']>>()({
  type: 'object',
  title: 'Passkeys',
  properties: {
    passkeys,
    userHandle: {
      type: ['string', 'null'],
      description: 'The account’s WebAuthn user handle; null before the first passkey',
      examples: ['aGFuZGxl'],
    },
    rpId,
  },
  required: ['passkeys', 'userHandle', 'rpId'],
});

export const remainingPasskeysResponse = answerOf<AnswerOf<PasskeySignIn['remove']>>()({
  type: 'object',
  properties: { passkeys },
  required: ['passkeys'],
});

export const relatedOriginsResponse = answerOf<ReturnType<PasskeySignIn['relatedOrigins']>>()({
  type: 'object',
  title: 'RelatedOrigins',
  properties: {
    origins: { type: 'array', items: { type: 'string', format: 'uri', examples: ['https://example.org'] } },
  },
  required: ['origins'],
});
