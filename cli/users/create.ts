import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { makeOutput } from '../terminal/print-results.ts';
import { type ActingOptions, actingVerb } from '../terminal/verbs-and-options.ts';

interface CreateOptions extends ActingOptions {
  readonly name?: string;
  readonly verified?: boolean;
  readonly sendReset?: boolean;
}

const mailedTo = ({ verified = false, sendReset = false }: CreateOptions): string => {
  if (!verified) return 'A code to verify the email is mailed.';
  return sendReset ? 'A code to set a password is mailed.' : 'Nothing is mailed.';
};

/** `users create`. */
export const createVerb = (noun: Command, { withChanges, by }: CommandContext): void => {
  actingVerb(noun, 'create <email>', 'create an account without a password')
    .option('--name <name>', 'the display name')
    .option('--verified', 'mark the email as verified; otherwise a code is mailed to it')
    .option('--send-reset', 'mail a code to set a password; with --verified')
    .option('--reason <reason>', 'why; audited')
    .action(async (email: string, options: CreateOptions) => {
      const { json, name, verified = false, sendReset = false, ...operator } = options;
      const input = { email, verified, sendReset, ...(name !== undefined && { displayName: name }) };
      const created = await withChanges(({ accounts: { operate } }) =>
        operate.createUser(input, by(operator)),
      );
      const message = `Created the account ${created.userId} for ${created.email}.`;
      makeOutput(json).done(`${message} ${mailedTo(options)}`, created);
    });
};
