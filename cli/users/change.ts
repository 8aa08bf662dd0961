import type { Command } from 'commander';
import type { Accounts, Acted, Operator } from '../../core/index.ts';
import type { Desk } from '../desk.ts';
import { makeOutput } from '../terminal/output.ts';
import { type ActingOptions, actingVerb, timeOption } from '../terminal/values.ts';

interface Reasoned extends ActingOptions {
  readonly until?: number;
}

/** The verbs that change one thing about one user. */
export const changeVerbs = (noun: Command, { act, by }: Desk): void => {
  const does =
    (
      change: (operate: Accounts['operate'], user: string, by: Operator, options: Reasoned) => Promise<Acted>,
      said: string,
      already: string,
    ) =>
    async (user: string, options: Reasoned) => {
      const acted = await act(({ accounts }) => change(accounts.operate, user, by(options), options));
      makeOutput(options.json).done(`${acted.email} ${acted.changed ? said : already}.`, acted);
    };
  const reasoned = (command: Command) => command.requiredOption('--reason <reason>', 'why; audited');
  const perhapsReasoned = (command: Command) => command.option('--reason <reason>', 'why; audited');

  const restrictions = [
    ['ban', 'banned', 'ban a user: live tokens may only read /api/auth/me, log out and delete'],
    ['disable', 'disabled', 'disable a user, with the effect of a ban'],
  ] as const;
  for (const [name, said, description] of restrictions) {
    reasoned(actingVerb(noun, `${name} <user>`, description))
      .option('--until <time>', 'when it ends, ISO 8601; never when not given', timeOption)
      .action(
        does(
          (operate, user, who, { reason = '', until = null }) => operate[name](user, { reason, until }, who),
          `is ${said}`,
          `was ${said} already`,
        ),
      );
  }

  perhapsReasoned(actingVerb(noun, 'unban <user>', 'end a ban')).action(
    does((operate, user, who) => operate.unban(user, who), 'is not banned any more', 'was not banned'),
  );
  perhapsReasoned(actingVerb(noun, 'enable <user>', 'end a disablement')).action(
    does((operate, user, who) => operate.enable(user, who), 'is enabled', 'was not disabled'),
  );
  perhapsReasoned(
    actingVerb(noun, 'unlock <user>', 'end every hold: on passwords, emailed codes and the second factor'),
  ).action(does((operate, user, who) => operate.unlock(user, who), 'is held no more', ''));
  perhapsReasoned(actingVerb(noun, 'verify <user>', 'take the email of a user as verified')).action(
    does(
      (operate, user, who) => operate.takeEmailAsVerified(user, who),
      'is verified',
      'was verified already',
    ),
  );
  reasoned(
    actingVerb(
      noun,
      'reset-2fa <user>',
      'remove the second factor, end all sessions and tell the user by mail',
    ),
  ).action(
    does(
      (operate, user, who, { reason = '' }) => operate.resetTwoFactor(user, { ...who, reason }),
      'has no second factor any more, and is told by mail',
      'had no second factor',
    ),
  );
  reasoned(
    actingVerb(
      noun,
      'unlink <user> <provider> <account>',
      'remove an identity at a provider, even the last way to sign in; the user is told by mail',
    ),
  ).action(async (user: string, provider: string, account: string, options: Reasoned) => {
    const { json, reason = '', ...acting } = options;
    const [name, who] = [
      { provider, providerAccountId: account },
      { ...by(acting), reason },
    ];
    const acted = await act(({ accounts: { operate } }) => operate.unlinkIdentity(user, name, who));
    const said = acted.changed ? 'is opened no more by' : 'had no identity';
    makeOutput(json).done(`${acted.email} ${said} ${provider} ${account}.`, acted);
  });
  reasoned(
    actingVerb(
      noun,
      'remove-passkey <user> <passkey>',
      'remove a passkey by its id and tell the user by mail',
    ),
  ).action(async (user: string, passkey: string, { json, reason = '', ...acting }: Reasoned) => {
    const who = { ...by(acting), reason };
    const acted = await act(({ accounts: { operate } }) => operate.removePasskey(user, passkey, who));
    makeOutput(json).done(`${acted.userId} has the passkey ${passkey} no more, and is told by mail.`, acted);
  });
  perhapsReasoned(
    actingVerb(noun, 'send-reset <user>', 'mail a user a code with which to set a new password'),
  ).action(does((operate, user, who) => operate.sendReset(user, who), 'is mailed a code', ''));
  reasoned(
    actingVerb(noun, 'set-email <user> <email>', 'give a user another email; both are told by mail'),
  ).action(async (user: string, email: string, { json, reason = '', ...acting }: Reasoned) => {
    const who = { ...by(acting), reason };
    const acted = await act(({ accounts: { operate } }) => operate.setEmail(user, email, who));
    const said = acted.changed ? 'has the email' : 'had the email already:';
    makeOutput(json).done(`${acted.userId} ${said} ${acted.email}.`, acted);
  });
};
