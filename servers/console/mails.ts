import type { Accounts, ListMailsByStateInput, MailPage } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { answerOf, schemaOf } from '../http/schema.ts';
import { actBody, makeActRoute, view } from './act-route.ts';
import { cursor, limit, nextCursor } from './list-fields.ts';
import { retriedResponse } from './responses/deliveries.ts';
import { mail } from './responses/user.ts';

const query = schemaOf<ListMailsByStateInput>()({
  type: 'object',
  properties: {
    state: {
      type: 'string',
      enum: ['waiting', 'failing', 'dead'],
      description: '`waiting` for the first attempt, `failing` between attempts, `dead` after the last one',
    },
    cursor,
    limit,
  },
});

const mailsAnswer = answerOf<MailPage>()({
  type: 'object',
  title: 'MailPage',
  properties: { mails: { type: 'array', items: mail }, cursor: nextCursor },
  required: ['mails'],
});

const mailParams = schemaOf<{ readonly id: string }>()({
  type: 'object',
  properties: {
    id: {
      type: 'string',
      maxLength: 64,
      description: 'From the list of mails',
      examples: ['0199a0b1-3c00-7c01-8e55-2f1b9c3d4e5f'],
    },
  },
  required: ['id'],
});

/** The mails of the outbox. */
export const mailRoutes = (accounts: Accounts): readonly AnyRoute[] => {
  const { operate } = accounts;
  const act = makeActRoute(accounts);
  return [
    view({
      path: '/api/admin/mails',
      summary: 'List the mails of the outbox, the oldest first',
      query,
      example: { query: { state: 'dead' } },
      answers: {
        200: { description: 'A page of mails.', schema: mailsAnswer },
        400: { description: 'The cursor is wrong.', errors: ['invalid_cursor'] },
      },
      run: async ({ query }) => ok(await operate.listMailsByState(query)),
    }),
    act({
      method: 'POST',
      path: '/api/admin/mails/{id}/retry',
      summary: 'Send a mail at once, even a dead one',
      params: mailParams,
      body: actBody,
      example: { body: { reason: 'The mail server is back' } },
      answers: {
        200: { description: 'It is due.', schema: retriedResponse },
        404: { description: 'There is no such mail in the outbox.', errors: ['mail_not_found'] },
      },
      run: async ({ params }, by) => ok({ count: await operate.retryMails(params.id, by) }),
    }),
    act({
      method: 'POST',
      path: '/api/admin/mails/retry',
      summary: 'Send all mails of the outbox at once, dead ones too',
      body: actBody,
      example: { body: { reason: 'The mail server is back' } },
      answers: { 200: { description: 'They are due.', schema: retriedResponse } },
      run: async (_, by) => ok({ count: await operate.retryMails(null, by) }),
    }),
  ];
};
