import type { Accounts } from '../../../core/index.ts';
import { type AnswerOf, answerOf } from '../../http/schema.ts';
import { entitlement } from './entitlement.ts';
import { avatar, displayName, email, flag, message, time, userId } from './parts.ts';
import { oauthAccounts } from './providers.ts';

export { codeMailed as registeredResponse } from '../../../core/accounts/code-mails.ts';
export { onlyMessage as messageResponse, success as successResponse } from '../../../core/answers.ts';

export const profileResponse = answerOf<AnswerOf<Accounts['showProfile']>>()({
  type: 'object',
  title: 'ProfileAnswer',
  properties: {
    user: {
      type: 'object',
      title: 'Profile',
      properties: {
        id: userId,
        email,
        avatar,
        displayName,
        language: {
          type: 'string',
          enum: ['en', 'pl'],
          description: 'Of mails to the user',
          examples: ['en'],
        },
        twoFactorEnabled: flag('Whether a second factor is on'),
        createdAt: time,
        updatedAt: time,
        serviceAccess: { type: 'array', items: entitlement },
        oauthAccounts,
      },
      required: [
        ...(['id', 'email', 'avatar', 'displayName', 'language', 'twoFactorEnabled'] as const),
        ...(['createdAt', 'updatedAt', 'serviceAccess', 'oauthAccounts'] as const),
      ],
    },
  },
  required: ['user'],
});

export const avatarResponse = answerOf<AnswerOf<Accounts['setAvatar']>>()({
  type: 'object',
  properties: {
    avatar: {
      type: 'string',
      description: 'The path of the stored avatar',
      examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31/avatar_1795284000000.png'],
    },
    message: message('The avatar is set.'),
  },
  required: ['avatar', 'message'],
});
