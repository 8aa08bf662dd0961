import { Command } from 'commander';
import { exitCodes } from '../adapters/exit-codes.ts';
import type { CommandContext } from './context.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { type CommonOptions, timeOption, verb } from './terminal/verbs-and-options.ts';

interface ListOptions extends CommonOptions {
  readonly user?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly since?: number;
}

/** `gatehouse audit`: read the audit log and verify it. */
export const auditCommand = ({ withReadOnly, lowerPriority }: CommandContext): Command => {
  const noun = new Command('audit').description('read the audit log and verify it');

  verb(noun, 'list', 'list the rows, oldest first')
    .option('--user <user>', 'rows about or by this user: an id (also of a deleted user) or an email')
    .option(
      '--actor <actor>',
      'rows by this actor: a user id, operator:cli, internal, system, or the name of a person',
    )
    .option('--action <action>', 'rows of this action, such as user.banned')
    .option('--since <time>', 'rows from this ISO 8601 time on', timeOption)
    .action(async ({ json, ...filter }: ListOptions) => {
      await withReadOnly(({ accounts: { operate } }) =>
        makeOutput(json).list(operate.listAudit(filter), [
          ['NUMBER', ({ number }) => number],
          ['AT', ({ at }) => at],
          ['ACTOR', ({ actor }) => actor],
          ['PERSON', ({ person }) => person],
          ['ACTION', ({ action }) => action ?? 'erased'],
          ['TARGET', ({ target }) => target],
          ['REASON', ({ reason }) => reason],
          ['BEFORE', ({ before }) => before],
          ['AFTER', ({ after }) => after],
        ]),
      );
    });

  verb(
    noun,
    'verify',
    'check that no row was altered, removed or moved and that the log is complete; exits with 1 otherwise',
  )
    .hook('preAction', lowerPriority)
    .option('--head <value>', 'also compare with a head that was recorded elsewhere')
    .action(async ({ json, head }: CommonOptions & { readonly head?: string }) => {
      const verdict = await withReadOnly(({ accounts: { operate } }) => operate.verifyAudit(head));
      const { intact, rows, erased, broken } = verdict;
      // Before the output: its reader may close the pipe, as `grep -q` does, which ends the command.
      if (broken !== null) process.exitCode = exitCodes.failed;
      makeOutput(json).record(json ? verdict : { intact, rows, erased, head: verdict.head });
      if (broken !== null) say(`Row ${broken.number} is broken (${broken.fault}): ${broken.problem}.`);
    });
  return noun;
};
