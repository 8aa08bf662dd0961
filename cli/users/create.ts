import type { Command } from 'commander';
import type { Desk } from '../desk.ts';
import { makeOutput } from '../terminal/output.ts';
import { type ActingOptions, actingVerb } from '../terminal/values.ts';

interface Create extends ActingOptions {
  readonly name?: string;
  readonly verified?: boolean;
  readonly sendReset?: boolean;
}

const mailedTo = ({ verified = false, sendReset = false }: Create): string => {
  if (!verified) return 'A code to verify the email is mailed.';
  return sendReset ? 'A code to set a password is mailed.' : 'Nothing is mailed.';
};

/** `users create`. */
export const createVerb = (noun: Command, { act, by }: Desk): void => {
  actingVerb(noun, 'create <email>', 'make an account without a password')
    .option('--name <name>', 'the display name')
    .option('--verified', 'take the email as verified; otherwise a code is mailed to it')
    .option('--send-reset', 'mail a code with which to set a password; with --verified')
    .option('--reason <reason>', 'why; audited')
    .action(async (email: string, options: Create) => {
      const { json, name, verified = false, sendReset = false, ...acting } = options;
      const input = { email, verified, sendReset, ...(name !== undefined && { displayName: name }) };
      const created = await act(({ accounts: { operate } }) => operate.createUser(input, by(acting)));
      const made = `Made the account ${created.userId} for ${created.email}.`;
      makeOutput(json).done(`${made} ${mailedTo(options)}`, created);
    });
};
