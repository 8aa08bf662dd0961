import type { AuditLine, AuditPage } from '../../../core/index.ts';
import { flag } from '../../accounts/responses/parts.ts';
import { answerOf, nullable } from '../../http/schema.ts';
import { nextCursor, searchedTo } from '../list-fields.ts';
import { text, textOrNull, timeOrNull } from './billing.ts';

type Facts = Readonly<Record<string, unknown>>;

interface Row extends Omit<AuditLine, 'before' | 'after'> {
  readonly before: Facts | null;
  readonly after: Facts | null;
  readonly erased: boolean;
}

/** A page of the audit log as the console answers it. */
interface AuditView extends Omit<AuditPage, 'rows'> {
  readonly rows: readonly Row[];
}

export const auditView = ({ rows, ...page }: AuditPage): AuditView => ({
  ...page,
  // A row whose content was deleted with the user still has number, actor and target.
  rows: rows.map((row) => ({ ...row, erased: row.at === null })),
});

const facts = (description: string) => ({
  ...nullable({ type: 'object' }),
  description,
  examples: [null],
});

export const auditResponse = answerOf<AuditView>()({
  type: 'object',
  title: 'AuditPage',
  properties: {
    rows: {
      type: 'array',
      items: {
        type: 'object',
        title: 'AuditRow',
        properties: {
          number: { type: 'integer', examples: [1_204] },
          at: timeOrNull('', '2026-11-21T18:00:00.000Z'),
          actor: text('The id of a user, or a name such as `system`', 'system'),
          person: textOrNull('Who acted at the command line'),
          action: textOrNull('', 'user.banned'),
          target: text(
            'The id of a user, or a name such as `outbox`',
            '0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31',
          ),
          reason: textOrNull('', 'spam'),
          before: facts('What held before the act'),
          after: facts('What holds since'),
          requestId: textOrNull(''),
          address: textOrNull('The client address of an operator', '192.0.2.1'),
          erased: flag('Whether the content went with a deleted user'),
        },
        required: [
          ...(['number', 'at', 'actor', 'person', 'action', 'target', 'reason', 'before'] as const),
          ...(['after', 'requestId', 'address', 'erased'] as const),
        ],
      },
    },
    cursor: nextCursor,
    searchedTo: searchedTo('the time of the last row looked at'),
  },
  required: ['rows'],
});
