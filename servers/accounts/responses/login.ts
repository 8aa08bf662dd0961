import {
  ACCESS_TOKEN as accessToken,
  REFRESH_TOKEN as refreshToken,
} from '../../../core/accounts/sessions/cookie.ts';
import { loggedIn, loginUser } from '../../../core/accounts/sessions/open-session.ts';
import type { Accounts } from '../../../core/index.ts';
import { describedAs } from '../../../core/schema.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../../http/schema.ts';
import { email, flag, isTrue, message } from './parts.ts';
import type { InTokensOrNot } from './without-cookie.ts';

const challenge = {
  type: 'object',
  title: 'LoginChallenge',
  properties: {
    user: loginUser,
    requires2FA: isTrue,
    pendingToken: {
      type: 'string',
      description: 'Replaces the password in the second call, once, for 5 minutes',
      examples: ['gp1.0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31.c2VjcmV0'],
    },
    methods: {
      type: 'array',
      description: 'What the second call may show; any of them will do. There where passkeys are on',
      items: { type: 'string', enum: ['totp', 'passkey', 'recovery'] },
      examples: [['totp', 'recovery']],
    },
    message: message('A two-factor code is needed.'),
  },
  required: ['user', 'requires2FA', 'pendingToken', 'message'],
} as const satisfies ObjectSchema;

const emailRequired = {
  type: 'object',
  title: 'EmailRequired',
  properties: {
    requiresEmail: isTrue,
    signUpToken: {
      type: 'string',
      description: 'For `sign-up` and `verify-email`; valid for 10 minutes',
      examples: ['c2lnbi1pbg.bWFyaw'],
    },
    email: {
      type: ['string', 'null'],
      description: 'What the provider has, to suggest it',
      examples: ['ada@example.com'],
    },
    message: message('Enter your email; we send a code to it.'),
  },
  required: ['requiresEmail', 'signUpToken', 'email', 'message'],
} as const satisfies ObjectSchema;

export const handoverResponse = answerOf<AnswerOf<Accounts['handOver']>>()({
  type: 'object',
  title: 'HandoverCode',
  properties: {
    code: {
      type: 'string',
      description: 'For the app, in the query of the address; valid once',
      examples: ['aGFuZG92ZXI.Y29kZQ'],
    },
    expiresIn: { type: 'integer', description: 'Seconds', minimum: 1, examples: [60] },
  },
  required: ['code', 'expiresIn'],
});

export const redeemedResponse = loggedIn;

export const loginResponse = answerOf<InTokensOrNot<AnswerOf<Accounts['logIn']>>>()({
  oneOf: [loggedIn, challenge],
});

export const exchangeResponse = answerOf<InTokensOrNot<AnswerOf<Accounts['providers']['exchange']>>>()({
  oneOf: [loggedIn, challenge, emailRequired],
});

export const refreshResponse = answerOf<AnswerOf<Accounts['refresh']>>()({
  type: 'object',
  title: 'TokenPair',
  properties: {
    token: accessToken,
    refreshToken,
    banned: flag('There when this or `disabled` is true'),
    disabled: flag('There when this or `banned` is true'),
  },
  required: ['token', 'refreshToken'],
});

export const passwordResponse = answerOf<InTokensOrNot<AnswerOf<Accounts['changePassword']>>>()({
  type: 'object',
  title: 'PasswordChanged',
  properties: { success: isTrue, token: accessToken, refreshToken },
  required: ['success'],
});

export const sessionTokenResponse = answerOf<AnswerOf<Accounts['issueAccessToken']>>()({
  type: 'object',
  title: 'SessionToken',
  properties: { token: accessToken },
  required: ['token'],
});

/** Members of the refusal `email_not_verified`. */
export const unverified = {
  emailVerified: { type: 'boolean', const: false, description: 'With `email_not_verified`' },
  email: describedAs(email, 'With `email_not_verified`: the address to which a new code is on its way'),
} as const;
