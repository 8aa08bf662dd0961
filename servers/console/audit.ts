import { auditCheck } from '../../core/accounts/admin/background-audit-check.ts';
import {
  auditFilterMembers,
  auditLineMembers,
  auditPageMembers,
} from '../../core/accounts/admin/list-audit.ts';
import { invalid } from '../../core/errors.ts';
import type { Accounts, AuditPage } from '../../core/index.ts';
import { readTime } from '../../core/iso-times.ts';
import { pageMembers } from '../../core/pagination.ts';
import { flag, list, object, optional, type TypeOf, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { EMAILS, viewRoute } from './route-builders.ts';

const timeText = (description: string) => optional(text({ maxLength: 64, description }));

const auditQuery = object({
  ...auditFilterMembers,
  since: timeText('Only rows from this time on, ISO 8601'),
  until: timeText('Only rows before this time, ISO 8601'),
  ...pageMembers,
});

export const shownAuditPage = object(
  {
    rows: list(
      object(
        {
          ...auditLineMembers,
          erased: flag({ description: 'Whether the content was deleted with a user', examples: [false] }),
        },
        { title: 'AuditRow' },
      ),
    ),
    emails: EMAILS,
    ...auditPageMembers,
  },
  { title: 'AuditPage' },
);

export const toShownAuditPage = async (
  { operate }: Accounts,
  { rows, ...page }: AuditPage,
): Promise<TypeOf<typeof shownAuditPage>> => ({
  ...page,
  emails: await operate.findEmails(rows.flatMap(({ actor, target }) => [actor, target])),
  // A row whose content was deleted with the user still has number, actor and target.
  rows: rows.map((row) => ({ ...row, erased: row.at === null })),
});

const parseTime = (text: string): number => {
  const time = readTime(text);
  if (time === undefined) throw invalid('invalid_time', 'A time must have the form of ISO 8601.');
  return time;
};

/** The audit log, newest first, and the background check of the whole log. */
export const auditRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  viewRoute({
    path: '/api/admin/audit',
    summary: 'List the audit log, newest first',
    query: auditQuery,
    example: { query: { action: 'user.banned' } },
    answers: {
      200: { description: 'A page of rows.', schema: shownAuditPage },
      400: {
        description: 'A filter is wrong.',
        errors: ['invalid_time', 'invalid_email', 'invalid_cursor'],
      },
      404: { description: 'No user has the email of `target`.', errors: ['user_not_found'] },
    },
    run: async ({ query: { since, until, ...filter } }) => {
      const page = await accounts.operate.listAuditBack({
        ...filter,
        ...(since !== undefined && { since: parseTime(since) }),
        ...(until !== undefined && { until: parseTime(until) }),
      });
      return ok(await toShownAuditPage(accounts, page));
    },
  }),
  // The check changes no user's data, so it needs neither a reason nor a fresh proof.
  route({
    method: 'POST',
    path: '/api/admin/audit/verify',
    summary: 'Begin a check of the whole audit log, one at a time',
    access: 'console',
    bucket: 'acts',
    answers: {
      202: { description: 'The check begins.', schema: auditCheck },
      409: { description: 'A check is running.', errors: ['already_running'] },
    },
    run: async () => ({ status: 202, body: await accounts.operate.startAuditCheck() }),
  }),
  viewRoute({
    path: '/api/admin/audit/verify',
    summary: 'Show the progress of the audit log’s check, with the last verdict',
    answers: { 200: { description: 'The check.', schema: auditCheck } },
    run: async () => ok(await accounts.operate.showAuditCheck()),
  }),
];
