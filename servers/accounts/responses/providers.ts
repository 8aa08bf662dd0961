import type { LinkResult } from '../../../core/index.ts';
import { describedAs } from '../../../core/schema.ts';
import { answerOf, type ObjectSchema } from '../../http/schema.ts';
import { email, flag, time } from './parts.ts';

export const oauthAccounts = {
  type: 'array',
  items: {
    type: 'object',
    title: 'OAuthAccount',
    properties: {
      provider: { type: 'string', examples: ['google'] },
      providerAccountId: { type: 'string', examples: ['1234567890'] },
      email: { type: ['string', 'null'], examples: ['ada@example.com'] },
      createdAt: time,
    },
    required: ['provider', 'providerAccountId', 'email', 'createdAt'],
  },
} as const;

const address = (description: string, example: string) =>
  ({ type: 'string', format: 'uri', description, examples: [example] }) as const;

interface Listed {
  readonly providers: readonly { readonly id: string; readonly name: string; readonly beginUrl: string }[];
  readonly passkeys: boolean;
}

export const providersResponse = answerOf<Listed>()({
  type: 'object',
  properties: {
    providers: {
      type: 'array',
      maxItems: 10,
      items: {
        type: 'object',
        title: 'Provider',
        properties: {
          id: { type: 'string', examples: ['google'] },
          name: { type: 'string', description: 'For the button', examples: ['Google'] },
          beginUrl: address(
            'Where the browser goes, with a query',
            'https://accounts.example.com/api/auth/providers/google/begin',
          ),
        },
        required: ['id', 'name', 'beginUrl'],
      },
    },
    passkeys: flag('Whether passkeys are on'),
  },
  required: ['providers', 'passkeys'],
});

export const ticketResponse = answerOf<{ readonly url: string }>()({
  type: 'object',
  title: 'Ticket',
  properties: {
    url: address(
      'Where the browser goes; good once, for 60 seconds',
      'https://accounts.example.com/api/auth/providers/google/begin?ticket=dGlja2V0',
    ),
  },
  required: ['url'],
});

export const linkedResponse = answerOf<LinkResult>()({
  type: 'object',
  properties: { oauthAccounts },
  required: ['oauthAccounts'],
});

/** Members of the refusal `account_exists`. */
export const existing = {
  email: describedAs(email, 'The email of both'),
  linkToken: {
    type: 'string',
    description: 'For `link/confirm`, from a session of that account; valid once, for 10 minutes',
    examples: ['c2lnbi1pbg.bWFyaw'],
  },
} as const satisfies ObjectSchema['properties'];
