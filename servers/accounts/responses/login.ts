import { signInChallenge } from '../../../core/accounts/sessions/challenge.ts';
import { loggedIn } from '../../../core/accounts/sessions/open-session.ts';
import type { Accounts } from '../../../core/index.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../../http/schema.ts';
import { isTrue, message } from './parts.ts';
import type { InTokensOrNot } from './without-cookie.ts';

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

export const exchangeResponse = answerOf<InTokensOrNot<AnswerOf<Accounts['providers']['exchange']>>>()({
  oneOf: [loggedIn, signInChallenge, emailRequired],
});
