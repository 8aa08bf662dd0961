import type { Accounts, Billing, Identity } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute, Call } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { actBody, makeActRoute, view } from './act-route.ts';
import { auditAnswer, auditView } from './answers/audit.ts';
import { billingOfUserAnswer } from './answers/billing-of-user.ts';
import { actedAnswer, mailsOfUserAnswer, sessionsOfUserAnswer, userAnswer } from './answers/user.ts';
import { cursor, limit } from './list-fields.ts';
import { conflict, userId, userMissing, userParams } from './user-act.ts';

const sessionParams = schemaOf<{ readonly userId: string; readonly sid: string }>()({
  type: 'object',
  properties: {
    userId,
    sid: {
      type: 'string',
      maxLength: 64,
      description: 'From the list of sessions',
      examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'],
    },
  },
  required: ['userId', 'sid'],
});

const pageQuery = schemaOf<{ readonly cursor?: string; readonly limit?: number }>()({
  type: 'object',
  properties: { cursor, limit },
});

/** One user, and what belongs to them. Each look at it is a line of the process log. */
export const userRoutes = (accounts: Accounts, billing: Billing): readonly AnyRoute[] => {
  const { operate } = accounts;

  type UserCall = Call<undefined, unknown, { readonly userId: string }, Identity>;
  const noted = async <T>({ params, who, caller }: UserCall, what: string, found: T): Promise<T> => {
    await operate.noteView(params.userId, what, { actor: who.user.id, caller });
    return found;
  };

  return [
    view({
      path: '/api/admin/users/{userId}',
      summary: 'Show a user: access and why, sign-in, restrictions',
      params: userParams,
      answers: { 200: { description: 'The user.', schema: userAnswer }, 404: userMissing },
      run: async (call) =>
        ok({ user: await noted(call, 'user', await operate.showUser(call.params.userId)) }),
    }),
    view({
      path: '/api/admin/users/{userId}/sessions',
      summary: 'List the live sessions of a user, newest first',
      params: userParams,
      answers: { 200: { description: 'The sessions.', schema: sessionsOfUserAnswer }, 404: userMissing },
      run: async (call) =>
        ok({ sessions: await noted(call, 'sessions', await operate.listSessions(call.params.userId)) }),
    }),
    makeActRoute(accounts)({
      method: 'DELETE',
      path: '/api/admin/users/{userId}/sessions/{sid}',
      summary: 'End one session of a user',
      params: sessionParams,
      body: actBody,
      example: { body: { reason: 'A lost telephone' } },
      answers: {
        200: { description: 'The user as they are now.', schema: actedAnswer },
        404: {
          description: 'There is no such user or session.',
          errors: ['user_not_found', 'session_not_found'],
        },
        409: conflict(),
      },
      run: async ({ params }, by) => {
        const { changed } = await operate.endSession(params.userId, params.sid, by);
        return ok({ changed, user: await operate.showUser(params.userId) });
      },
    }),
    view({
      path: '/api/admin/users/{userId}/audit',
      summary: 'List the rows of the audit log about a user or by them, newest first',
      params: userParams,
      query: pageQuery,
      answers: {
        200: { description: 'A page of rows. A user who is gone has rows, too.', schema: auditAnswer },
        400: { description: 'The cursor is wrong.', errors: ['invalid_cursor'] },
      },
      run: async (call) => {
        const page = await operate.listAuditBack({ user: call.params.userId, ...call.query });
        return ok(await noted(call, 'audit', auditView(page)));
      },
    }),
    view({
      path: '/api/admin/users/{userId}/billing',
      summary: 'Show what billing knows of a user, with the newest deliveries about them',
      params: userParams,
      answers: { 200: { description: 'What it knows.', schema: billingOfUserAnswer }, 404: userMissing },
      run: async (call) => {
        const { userId } = call.params;
        const shown = (await operate.showUser(userId)).billing;
        const deliveries = await billing.operate.listEventsOf(userId);
        return ok(await noted(call, 'billing', { billing: shown, deliveries }));
      },
    }),
    view({
      path: '/api/admin/users/{userId}/mails',
      summary: 'List the mails of the outbox to a user, newest first',
      params: userParams,
      answers: { 200: { description: 'The mails.', schema: mailsOfUserAnswer }, 404: userMissing },
      run: async (call) =>
        ok({ mails: await noted(call, 'mails', await operate.listMailsOf(call.params.userId)) }),
    }),
  ];
};
