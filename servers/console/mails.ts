import { listMailsByStateInput, mailPage } from '../../core/accounts/admin/list-and-retry-mails.ts';
import type { Accounts } from '../../core/index.ts';
import { object, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { actionBody, makeActionRoute, retried, viewRoute } from './route-builders.ts';

const mailParams = object({
  id: text({
    maxLength: 64,
    description: 'From the list of mails',
    examples: ['0199a0b1-3c00-7c01-8e55-2f1b9c3d4e5f'],
  }),
});

/** The mails of the outbox. */
export const mailRoutes = (accounts: Accounts): readonly AnyRoute[] => {
  const { operate } = accounts;
  const actionRoute = makeActionRoute(accounts);
  return [
    viewRoute({
      path: '/api/admin/mails',
      summary: 'List the mails of the outbox, the oldest first',
      query: listMailsByStateInput,
      example: { query: { state: 'dead' } },
      answers: {
        200: { description: 'A page of mails.', schema: mailPage },
        400: { description: 'The cursor is wrong.', errors: ['invalid_cursor'] },
      },
      run: async ({ query }) => ok(await operate.listMailsByState(query)),
    }),
    actionRoute({
      method: 'POST',
      path: '/api/admin/mails/{id}/retry',
      summary: 'Send a mail at once, even a dead one',
      params: mailParams,
      body: actionBody,
      example: { body: { reason: 'The mail server is back' } },
      answers: {
        200: { description: 'The mail is due now.', schema: retried },
        404: { description: 'There is no such mail in the outbox.', errors: ['mail_not_found'] },
      },
      run: async ({ params }, by) => ok({ count: await operate.retryMails(params.id, by) }),
    }),
    actionRoute({
      method: 'POST',
      path: '/api/admin/mails/retry',
      summary: 'Send all mails of the outbox at once, dead ones too',
      body: actionBody,
      example: { body: { reason: 'The mail server is back' } },
      answers: { 200: { description: 'The mails are due now.', schema: retried } },
      run: async (_, by) => ok({ count: await operate.retryMails(null, by) }),
    }),
  ];
};
