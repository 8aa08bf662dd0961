import { Command } from 'commander';
import { auditCommand } from './audit.ts';
import { billingCommand } from './billing.ts';
import { cacheCommand } from './cache.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import type { CommandContext } from './context.ts';
import { filesCommand } from './files.ts';
import { keysCommand } from './keys.ts';
import { mailCommand } from './mail.ts';
import { operatorCommand } from './operator.ts';
import { statsCommand } from './stats.ts';
import { storeCommand } from './store.ts';
import { tierCommand } from './tier.ts';
import { usersCommand } from './users.ts';
import { webhooksCommand } from './webhooks.ts';

interface ProgramOptions {
  /** The output of `--version`. */
  readonly version?: string;
  /** Wrong usage is only thrown, and not printed as well. */
  readonly quiet?: boolean;
}

/** Makes commander throw where it would end the process. */
const throwInsteadOfExit = (command: Command, quiet: boolean): void => {
  command.exitOverride();
  if (quiet) command.configureOutput({ writeErr: () => undefined });
  for (const inner of command.commands) throwInsteadOfExit(inner, quiet);
};

/** The complete command. It throws for wrong usage, and to end after `--help` and `--version`. */
export const makeProgram = (
  context: CommandContext,
  { version = '0', quiet = false }: ProgramOptions = {},
): Command => {
  const program = new Command('gatehouse')
    .description('Administer Gatehouse with the settings of its servers, while they run')
    .version(version, '--version', 'show the version')
    .showHelpAfterError('(--help lists the commands)');
  const nouns = [
    statsCommand,
    usersCommand,
    tierCommand,
    operatorCommand,
    auditCommand,
    mailCommand,
    billingCommand,
    filesCommand,
    cacheCommand,
    keysCommand,
    storeCommand,
    webhooksCommand,
    configCommand,
  ];
  for (const noun of nouns) program.addCommand(noun(context));
  program.addCommand(completionCommand(program));
  throwInsteadOfExit(program, quiet);
  return program;
};
