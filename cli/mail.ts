import { Command } from 'commander';
import type { Desk } from './desk.ts';
import { makeOutput } from './terminal/output.ts';
import { type ActingOptions, actingVerb, type Common, verb } from './terminal/values.ts';

/** `gatehouse mail`: look at the outbox. */
export const mailCommand = ({ look, act, by }: Desk): Command => {
  const noun = new Command('mail').description('look at mails that are not sent yet, and at those given up');

  verb(noun, 'list', 'list the outbox: waiting, failing and dead mails, oldest first').action(
    async ({ json }: Common) => {
      await look(({ accounts: { operate } }) =>
        makeOutput(json).list(operate.listMails(), [
          ['ID', ({ id }) => id],
          ['STATE', ({ state }) => state],
          ['TO', ({ to }) => to],
          ['TEMPLATE', ({ template }) => template],
          ['CREATED', ({ createdAt }) => createdAt],
          ['TRIES', ({ tries }) => tries],
          ['DUE', ({ dueAt }) => dueAt],
          ['FAILURE', ({ lastFailure }) => lastFailure],
        ]),
      );
    },
  );

  actingVerb(noun, 'retry [id]', 'try a mail again now, or all of them, dead ones too').action(
    async (id: string | undefined, { json, ...acting }: ActingOptions) => {
      const count = await act(({ accounts: { operate } }) => operate.retryMails(id ?? null, by(acting)));
      makeOutput(json).done(`${count} due now.`, { count });
    },
  );
  return noun;
};
