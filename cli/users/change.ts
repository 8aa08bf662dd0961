import type { Command } from 'commander';
import type { Accounts, AdminActionResult, Operator } from '../../core/index.ts';
import type { CommandContext } from '../context.ts';
import { makeOutput } from '../terminal/output.ts';
import { type ActingOptions, actingVerb, timeOption } from '../terminal/values.ts';

interface ChangeOptions extends ActingOptions {
  readonly until?: number;
}

/** The verbs that change one thing about one user. */
export const changeVerbs = (noun: Command, { act, by }: CommandContext): void => {
  const changeAction =
    (
      change: (
        operate: Accounts['operate'],
        user: string,
        by: Operator,
        options: ChangeOptions,
      ) => Promise<AdminActionResult>,
      changedText: string,
      unchangedText: string,
    ) =>
    async (user: string, options: ChangeOptions) => {
      const result = await act(({ accounts }) => change(accounts.operate, user, by(options), options));
      makeOutput(options.json).done(
        `${result.email} ${result.changed ? changedText : unchangedText}.`,
        result,
      );
    };
  const withReason = (command: Command) => command.requiredOption('--reason <reason>', 'why; audited');
  const withOptionalReason = (command: Command) => command.option('--reason <reason>', 'why; audited');

  const restrictions = [
    ['ban', 'banned', 'ban a user: live tokens may only read /api/auth/me, log out and delete'],
    ['disable', 'disabled', 'disable a user, with the effect of a ban'],
  ] as const;
  for (const [name, participle, description] of restrictions) {
    withReason(actingVerb(noun, `${name} <user>`, description))
      .option('--until <time>', 'when it ends, ISO 8601; never when not given', timeOption)
      .action(
        changeAction(
          (operate, user, actor, { reason = '', until = null }) =>
            operate[name](user, { reason, until }, actor),
          `is ${participle}`,
          `was ${participle} already`,
        ),
      );
  }

  withOptionalReason(actingVerb(noun, 'unban <user>', 'end a ban')).action(
    changeAction(
      (operate, user, actor) => operate.unban(user, actor),
      'is no longer banned',
      'was not banned',
    ),
  );
  withOptionalReason(actingVerb(noun, 'enable <user>', 'end a disablement')).action(
    changeAction((operate, user, actor) => operate.enable(user, actor), 'is enabled', 'was not disabled'),
  );
  withOptionalReason(
    actingVerb(noun, 'unlock <user>', 'end every lockout: of passwords, emailed codes and the second factor'),
  ).action(
    changeAction((operate, user, actor) => operate.unlock(user, actor), 'is no longer locked out', ''),
  );
  withOptionalReason(actingVerb(noun, 'verify <user>', 'take the email of a user as verified')).action(
    changeAction(
      (operate, user, actor) => operate.takeEmailAsVerified(user, actor),
      'is verified',
      'was verified already',
    ),
  );
  withReason(
    actingVerb(
      noun,
      'reset-2fa <user>',
      'remove the second factor, end all sessions and tell the user by mail',
    ),
  ).action(
    changeAction(
      (operate, user, actor, { reason = '' }) => operate.resetTwoFactor(user, { ...actor, reason }),
      'no longer has a second factor, and is told by mail',
      'had no second factor',
    ),
  );
  withReason(
    actingVerb(
      noun,
      'unlink <user> <provider> <account>',
      'remove an identity at a provider, even the last way to sign in; the user is told by mail',
    ),
  ).action(async (user: string, provider: string, account: string, options: ChangeOptions) => {
    const { json, reason = '', ...operator } = options;
    const identity = { provider, providerAccountId: account };
    const actor = { ...by(operator), reason };
    const result = await act(({ accounts: { operate } }) => operate.unlinkIdentity(user, identity, actor));
    const outcome = result.changed ? 'can no longer sign in with' : 'had no identity';
    makeOutput(json).done(`${result.email} ${outcome} ${provider} ${account}.`, result);
  });
  withReason(
    actingVerb(
      noun,
      'remove-passkey <user> <passkey>',
      'remove a passkey by its id and tell the user by mail',
    ),
  ).action(async (user: string, passkey: string, { json, reason = '', ...operator }: ChangeOptions) => {
    const actor = { ...by(operator), reason };
    const result = await act(({ accounts: { operate } }) => operate.removePasskey(user, passkey, actor));
    makeOutput(json).done(
      `${result.userId} no longer has the passkey ${passkey}, and is told by mail.`,
      result,
    );
  });
  withOptionalReason(
    actingVerb(noun, 'send-reset <user>', 'mail a user a code with which to set a new password'),
  ).action(changeAction((operate, user, actor) => operate.sendReset(user, actor), 'is mailed a code', ''));
  withReason(
    actingVerb(noun, 'set-email <user> <email>', 'give a user another email; both are told by mail'),
  ).action(async (user: string, email: string, { json, reason = '', ...operator }: ChangeOptions) => {
    const actor = { ...by(operator), reason };
    const result = await act(({ accounts: { operate } }) => operate.setEmail(user, email, actor));
    const outcome = result.changed ? 'has the email' : 'had the email already:';
    makeOutput(json).done(`${result.userId} ${outcome} ${result.email}.`, result);
  });
};
