import { AVATAR } from '../../../core/accounts/account.ts';
import { DISPLAY_NAME } from '../../../core/accounts/display-name.ts';
import { CANONICAL_EMAIL } from '../../../core/accounts/email.ts';
import { CONNECTED, IS_PREMIUM, SERVICE_NAME, TIER } from '../../../core/accounts/entitlement.ts';
import { TIME, TRUE, USER_ID } from '../../../core/answers.ts';

// Parts of several answers.

export { message, success } from '../../../core/answers.ts';
export {
  AVATAR as avatar,
  CANONICAL_EMAIL as email,
  CONNECTED as connected,
  DISPLAY_NAME as displayName,
  IS_PREMIUM as isPremium,
  SERVICE_NAME as service,
  TIER as tier,
  TIME as time,
  TRUE as isTrue,
  USER_ID as userId,
};

export const flag = (description: string, example = false) =>
  ({ type: 'boolean', description, examples: [example] }) as const;

export const count = { type: 'integer', minimum: 0, examples: [2] } as const;

export const limit = (description: string) =>
  ({
    type: ['number', 'null'],
    description: `${description}; null: the tier’s own`,
    examples: [null],
  }) as const;
