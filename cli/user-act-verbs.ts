import type { Command } from 'commander';
import { listUserActs, runUserAct } from '../core/accounts/admin/user-acts.ts';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/output.ts';
import { type ActingOptions, actingVerb } from './terminal/values.ts';

/** Adds the verbs that the table of acts has for a noun. */
export const userActVerbs = (noun: Command, { withChanges, by }: CommandContext): void => {
  for (const [name, { command: form, needsReason }] of listUserActs()) {
    if (form?.noun !== noun.name()) continue;
    const command = actingVerb(noun, form.verb, form.about);
    command[needsReason ? 'requiredOption' : 'option']('--reason <reason>', 'why; audited');
    command.action(async (user: string, ...rest: readonly unknown[]) => {
      const texts = rest.slice(0, command.registeredArguments.length - 1).map(String);
      const { json, ...operator } = command.opts<ActingOptions>();
      const input = form.inputOf?.(...texts);
      const result = await withChanges(({ accounts }) =>
        runUserAct(accounts.operate, name, user, input, by(operator)),
      );
      makeOutput(json).done(form.outcome(result, ...texts), result);
    });
  }
};
