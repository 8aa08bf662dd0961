import type { Command } from 'commander';
import { listUserActions, runUserAction } from '../core/accounts/admin/user-actions.ts';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import { type ActingOptions, actingVerb, REASON, REQUIRED_REASON } from './terminal/verbs-and-options.ts';

/** Adds the verbs that the table of user actions has for a noun. */
export const userActionVerbs = (noun: Command, { withChanges, by }: CommandContext): void => {
  for (const [name, { command: form, needsReason }] of listUserActions()) {
    if (form?.noun !== noun.name()) continue;
    const reason = needsReason ? REQUIRED_REASON : REASON;
    const command = actingVerb(noun, form.verb, form.about).addOption(reason);
    command.action(async (user: string, ...rest: readonly unknown[]) => {
      // Commander passes the options and the command behind the arguments, of which the first is the user.
      const texts = rest.slice(0, command.registeredArguments.length - 1).map(String);
      const { json, ...operator } = command.opts<ActingOptions>();
      const input = form.inputOf?.(...texts);
      const result = await withChanges(({ accounts }) =>
        runUserAction(accounts.operate, name, user, input, by(operator)),
      );
      makeOutput(json).done(form.outcome(result, ...texts), result);
    });
  }
};
