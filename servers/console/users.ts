import { listedMail } from '../../core/accounts/admin/list-and-retry-mails.ts';
import { directoryPage, listDirectoryInput } from '../../core/accounts/admin/list-directory.ts';
import { shownUser } from '../../core/accounts/admin/show-user.ts';
import { userSession } from '../../core/accounts/admin/user-sessions.ts';
import { billingView } from '../../core/accounts/admin/user-view.ts';
import { eventView } from '../../core/billing/list-events.ts';
import type { Accounts, Billing, Principal } from '../../core/index.ts';
import { pageMembers } from '../../core/pagination.ts';
import { list, object } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute, Call } from '../http/route.ts';
import { shownAuditPage, toShownAuditPage } from './audit.ts';
import { viewRoute } from './route-builders.ts';
import { userMissing, userParams } from './user-action-routes.ts';

const userAnswer = object({ user: shownUser }, { title: 'UserAnswer' });
const sessionsOfUser = object({ sessions: list(userSession) });
const mailsOfUser = object({ mails: list(listedMail) });
const billingOfUser = object(
  { billing: billingView, deliveries: list(eventView, { description: 'The newest 50', maxItems: 50 }) },
  { title: 'BillingAnswer' },
);

/** All users, and one user with their data. Each view of a user is logged in the process log. */
export const userRoutes = (accounts: Accounts, billing: Billing): readonly AnyRoute[] => {
  const { operate } = accounts;

  type UserCall = Call<undefined, unknown, { readonly userId: string }, Principal>;
  /** Reads data of a user, and logs that the caller has seen the data. */
  const readLogged = async <T>(
    { params: { userId }, principal, caller }: UserCall,
    viewName: string,
    read: (userId: string) => Promise<T>,
  ): Promise<T> => {
    const result = await read(userId);
    await operate.noteView(userId, viewName, { actor: principal.user.id, caller });
    return result;
  };

  return [
    viewRoute({
      path: '/api/admin/directory',
      summary: 'List users by the beginning of their email, else newest first',
      query: listDirectoryInput,
      example: { query: { prefix: 'ada' } },
      answers: {
        200: { description: 'A page of users.', schema: directoryPage },
        400: {
          description: 'A filter is wrong.',
          errors: ['invalid_prefix', 'invalid_email', 'unknown_tier', 'invalid_cursor'],
        },
      },
      run: async ({ query }) => ok(await operate.listDirectory(query)),
    }),
    viewRoute({
      path: '/api/admin/users/{userId}',
      summary: 'Show a user: access and why, sign-in, restrictions',
      params: userParams,
      answers: { 200: { description: 'The user.', schema: userAnswer }, 404: userMissing },
      run: async (call) => ok({ user: await readLogged(call, 'user', (id) => operate.showUser(id)) }),
    }),
    viewRoute({
      path: '/api/admin/users/{userId}/sessions',
      summary: 'List the live sessions of a user, newest first',
      params: userParams,
      answers: { 200: { description: 'The sessions.', schema: sessionsOfUser }, 404: userMissing },
      run: async (call) =>
        ok({ sessions: await readLogged(call, 'sessions', (id) => operate.listSessions(id)) }),
    }),
    viewRoute({
      path: '/api/admin/users/{userId}/audit',
      summary: 'List the rows of the audit log about a user or by them, newest first',
      params: userParams,
      query: object(pageMembers),
      answers: {
        200: { description: 'A page of rows. A deleted user has rows, too.', schema: shownAuditPage },
        400: { description: 'The cursor is wrong.', errors: ['invalid_cursor'] },
      },
      run: async (call) => {
        const readPage = async (user: string) =>
          toShownAuditPage(accounts, await operate.listAuditBack({ user, ...call.query }));
        return ok(await readLogged(call, 'audit', readPage));
      },
    }),
    viewRoute({
      path: '/api/admin/users/{userId}/billing',
      summary: 'Show the billing data of a user, with the newest deliveries about them',
      params: userParams,
      answers: { 200: { description: 'The billing data.', schema: billingOfUser }, 404: userMissing },
      run: async (call) => {
        const readBilling = async (userId: string) => {
          const user = await operate.showUser(userId);
          return { billing: user.billing, deliveries: await billing.operate.listEventsOf(userId) };
        };
        return ok(await readLogged(call, 'billing', readBilling));
      },
    }),
    viewRoute({
      path: '/api/admin/users/{userId}/mails',
      summary: 'List the mails of the outbox to a user, newest first',
      params: userParams,
      answers: { 200: { description: 'The mails.', schema: mailsOfUser }, 404: userMissing },
      run: async (call) => ok({ mails: await readLogged(call, 'mails', (id) => operate.listMailsOf(id)) }),
    }),
  ];
};
