import { invalid } from '../../core/errors.ts';
import type { Accounts } from '../../core/index.ts';
import { readTime } from '../../core/times.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { view } from './act-route.ts';
import { cursor, limit } from './list-fields.ts';
import { auditResponse, auditView } from './responses/audit.ts';

interface AuditQuery {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly since?: string;
  readonly until?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

const time = (description: string) => ({ type: 'string', maxLength: 64, description }) as const;

const query = schemaOf<AuditQuery>()({
  type: 'object',
  properties: {
    actor: {
      type: 'string',
      maxLength: 1_000,
      description: 'The id or email of the actor, or a name such as `system` or that of a person',
    },
    action: {
      type: 'string',
      maxLength: 64,
      description: 'Only rows of this action',
      examples: ['user.banned'],
    },
    target: {
      type: 'string',
      maxLength: 1_000,
      description: 'The id or email of the user the rows are about, or a name such as `outbox`',
    },
    since: time('Only rows from this time on, ISO 8601'),
    until: time('Only rows before this time, ISO 8601'),
    cursor,
    limit,
  },
});

const bans: AuditQuery = { action: 'user.banned' };

const timeOf = (text: string): number => {
  const time = readTime(text);
  if (time === undefined) throw invalid('invalid_time', 'A time must be of ISO 8601.');
  return time;
};

/** The audit log, newest first. */
export const auditRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  view({
    path: '/api/admin/audit',
    summary: 'List the audit log, newest first',
    query,
    example: { query: bans },
    answers: {
      200: { description: 'A page of rows.', schema: auditResponse },
      400: {
        description: 'A filter is wrong.',
        errors: ['invalid_time', 'invalid_email', 'invalid_cursor'],
      },
      404: { description: 'No user has the email of `target`.', errors: ['user_not_found'] },
    },
    run: async ({ query: { since, until, ...filter } }) =>
      ok(
        auditView(
          await operate.listAuditBack({
            ...filter,
            ...(since !== undefined && { since: timeOf(since) }),
            ...(until !== undefined && { until: timeOf(until) }),
          }),
        ),
      ),
  }),
];
