import type { Accounts } from '../../../core/index.ts';
import { type AnswerOf, answerOf } from '../../http/schema.ts';
import { entitlement } from './entitlement.ts';
import { avatar, count, displayName, email, flag, time, userId } from './parts.ts';

export const usersResponse = answerOf<AnswerOf<Accounts['listUsers']>>()({
  type: 'object',
  title: 'UserList',
  properties: {
    users: {
      type: 'array',
      items: {
        type: 'object',
        title: 'ListedUser',
        properties: {
          id: userId,
          email,
          displayName,
          avatar,
          createdAt: time,
          updatedAt: time,
          serviceAccess: { type: 'array', items: entitlement },
        },
        required: ['id', 'email', 'displayName', 'avatar', 'createdAt', 'updatedAt', 'serviceAccess'],
      },
    },
    pagination: {
      type: 'object',
      title: 'Pagination',
      properties: {
        page: { ...count, examples: [1] },
        limit: { ...count, examples: [50] },
        totalCount: { ...count, examples: [120] },
        totalPages: { ...count, examples: [3] },
        hasMore: flag('Whether more follow', true),
        cursor: {
          type: 'string',
          description: 'The cursor of the next page; absent on the last one',
          examples: ['MTc5NTI4NDAwMDAwMA.c2VjcmV0'],
        },
      },
      required: ['page', 'limit', 'totalCount', 'totalPages', 'hasMore'],
    },
  },
  required: ['users', 'pagination'],
});
