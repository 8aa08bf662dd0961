import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { makeOutput, say } from '../terminal/print-results.ts';
import { printable } from '../terminal/safe-text.ts';
import { type ActingOptions, actingVerb } from '../terminal/verbs-and-options.ts';

interface DeleteOptions extends ActingOptions {
  readonly yes?: boolean;
}

/** Asks the person to type the email. Returns false for any other text. */
const isConfirmed = async (email: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write(`This cannot be undone. Type ${printable(email)} to delete the account: `);
  try {
    for await (const line of lines) return line.trim().toLowerCase() === email;
    return false;
  } finally {
    lines.close();
  }
};

/** `users delete`: the same as a deletion by the user, with a receipt. */
export const deleteVerb = (noun: Command, { withReadOnly, withChanges, by }: CommandContext): void => {
  actingVerb(noun, 'delete <user>', 'delete a user with all their data; prints a receipt')
    .option('--yes', 'do not ask for confirmation')
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, { json, yes, ...operator }: DeleteOptions) => {
      const { id, email } = await withReadOnly(({ accounts }) => accounts.operate.findUser(user));
      if (!yes && !(await isConfirmed(email))) throw new Error('Nothing was deleted.');
      const receipt = await withChanges(({ accounts }) => accounts.operate.deleteUser(id, by(operator)));
      const output = makeOutput(json);
      if (json) return output.record(receipt);
      await output.list(receipt.removed, [
        ['REMOVED', ({ what }) => what],
        ['WHERE', ({ where }) => where],
        ['COUNT', ({ count }) => count],
      ]);
      say(`${email} was deleted at ${receipt.deletedAt}; only the id ${receipt.userId} is left.`);
      for (const { what, where } of receipt.kept) say(`Kept in ${where}: ${what}.`);
      if (receipt.outstanding.length > 0) say(`Left to the servers: ${receipt.outstanding.join(', ')}.`);
    });
};
