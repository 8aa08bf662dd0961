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

export const exchangeResponse = answerOf<InTokensOrNot<AnswerOf<Accounts['providers']['exchange']>>>()({
  oneOf: [loggedIn, signInChallenge, emailRequired],
});
