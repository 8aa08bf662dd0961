import { Command } from 'commander';
import type { CommandContext, MailChoice } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import { type ActingOptions, actingVerb, type CommonOptions, verb } from './terminal/verbs-and-options.ts';

export const mailCommand = ({ withReadOnly, withChanges, by, mails }: CommandContext): Command => {
  const noun = new Command('mail').description('list unsent mails, retry them, and preview mails');

  verb(noun, 'list', 'list the outbox: waiting, failing and dead mails, oldest first').action(
    async ({ json }: CommonOptions) => {
      await withReadOnly(({ accounts: { operate } }) =>
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

  actingVerb(noun, 'retry [id]', 'retry a mail now, or all mails, also dead ones').action(
    async (id: string | undefined, { json, ...operator }: ActingOptions) => {
      const count = await withChanges(({ accounts: { operate } }) =>
        operate.retryMails(id ?? null, by(operator)),
      );
      makeOutput(json).done(`${count} due now.`, { count });
    },
  );

  verb(noun, 'preview <folder>', 'write every mail with sample data into a folder')
    .option('--template <name>', 'only this mail, such as verify')
    .option('--language <tag>', 'only this language, such as pl')
    .action(async (folder: string, { json, ...choice }: CommonOptions & MailChoice) => {
      const names = await mails.preview(folder, choice);
      makeOutput(json).done(`${names.length} mails in ${folder}: open index.html there.`, { names });
    });

  verb(noun, 'test <address>', 'send one mail with sample data, marked as a test')
    .option('--template <name>', 'this mail, instead of verify')
    .option('--language <tag>', 'in this language, instead of en')
    .action(async (address: string, { json, ...choice }: CommonOptions & MailChoice) => {
      await mails.test(address, choice);
      makeOutput(json).done(`Sent to ${address}.`, { address });
    });
  return noun;
};
