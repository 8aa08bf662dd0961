import type { UserExport } from '../../../core/index.ts';
import type { Schema } from '../../../core/schema.ts';
import { time } from '../../accounts/responses/parts.ts';
import type { ObjectSchema } from '../../http/schema.ts';

const list = (description: string) => ({ type: 'array', description, items: { type: 'object' } }) as const;

/** Everything that is stored about a user. The export is for people and archives, so its members are not listed. */
export const exported = {
  type: 'object',
  title: 'UserExport',
  properties: {
    exportedAt: time,
    user: { type: 'object', description: 'As the user is shown' },
    sessions: list('Of all that are not ended'),
    knownAddresses: list('When each was last used'),
    files: list('What is held of each file'),
    mails: list('Those of the outbox'),
    audit: list('The rows about the user, and of what they did'),
  },
  required: ['exportedAt', 'user', 'sessions', 'knownAddresses', 'files', 'mails', 'audit'],
} as const satisfies ObjectSchema as unknown as Schema<UserExport>;
