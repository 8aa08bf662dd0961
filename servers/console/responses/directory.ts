import type { DirectoryPage } from '../../../core/index.ts';
import { displayName, email, flag, isPremium, tier, time, userId } from '../../accounts/responses/parts.ts';
import { answerOf, nullable } from '../../http/schema.ts';
import { nextCursor, searchedTo } from '../list-fields.ts';
import { timeOrNull } from './billing.ts';

const lockHolder = nullable({
  type: 'object',
  title: 'Held',
  properties: { until: timeOrNull('Null: for good') },
  required: ['until'],
});

export const directoryResponse = answerOf<DirectoryPage>()({
  type: 'object',
  title: 'Directory',
  properties: {
    users: {
      type: 'array',
      items: {
        type: 'object',
        title: 'DirectoryUser',
        properties: {
          id: userId,
          email,
          displayName,
          tier,
          isPremium,
          verified: flag('Whether the email is verified', true),
          twoFactor: flag('Whether the second factor is on'),
          banned: lockHolder,
          disabled: lockHolder,
          operator: { type: ['string', 'null'], enum: ['founder', 'dev', null], examples: [null] },
          createdAt: time,
        },
        required: [
          ...(['id', 'email', 'displayName', 'tier', 'isPremium', 'verified', 'twoFactor'] as const),
          ...(['banned', 'disabled', 'operator', 'createdAt'] as const),
        ],
      },
    },
    cursor: nextCursor,
    searchedTo: searchedTo('the email or the registration of the last user looked at'),
  },
  required: ['users'],
});
