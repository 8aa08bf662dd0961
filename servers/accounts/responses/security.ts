import { SHORT_PASSKEY } from '../../../core/accounts/passkeys/passkey-view.ts';
import type { Accounts } from '../../../core/index.ts';
import { type AnswerOf, answerOf } from '../../http/schema.ts';
import { flag, time } from './parts.ts';
import { oauthAccounts } from './providers.ts';

const orNull = (description: string, example: string | null) =>
  ({ type: ['string', 'null'], format: 'date-time', description, examples: [example] }) as const;

const { id, name, lastUsedAt, backedUp } = SHORT_PASSKEY;

export const securityResponse = answerOf<AnswerOf<Accounts['showSecurity']>>()({
  type: 'object',
  title: 'Security',
  properties: {
    hasPassword: flag('Whether there is a password', true),
    passwordChangedAt: orNull(
      'Null without a password, and while it is the one that the account began with',
      '2026-11-21T18:00:00.000Z',
    ),
    twoFactor: {
      type: 'object',
      title: 'SecondFactor',
      properties: {
        on: flag('Whether it is on', true),
        recoveryCodesLeft: {
          type: ['integer', 'null'],
          description: 'Null while it is off',
          minimum: 0,
          examples: [10],
        },
        heldUntil: orNull('Until when no code is taken; null when codes are', null),
      },
      required: ['on', 'recoveryCodesLeft', 'heldUntil'],
    },
    passkeys: {
      type: 'array',
      description: 'Empty where passkeys are switched off',
      maxItems: 20,
      items: {
        type: 'object',
        title: 'ShortPasskey',
        properties: { id, name, createdAt: time, lastUsedAt, backedUp },
        required: ['id', 'name', 'createdAt', 'lastUsedAt', 'backedUp'],
      },
    },
    providers: oauthAccounts,
  },
  required: ['hasPassword', 'passwordChangedAt', 'twoFactor', 'passkeys', 'providers'],
});
