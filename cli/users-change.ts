import type { Command } from 'commander';
import type { Accounts, Acted } from '../core/index.ts';
import { type Desk, operator } from './desk.ts';
import { makeOutput } from './output.ts';
import { type Common, timeOption, verb } from './values.ts';

interface Reasoned extends Common {
  readonly reason?: string;
  readonly until?: number;
}

/** The verbs that change one thing about one user. */
export const changeVerbs = (noun: Command, { act }: Desk): void => {
  const does =
    (
      change: (operate: Accounts['operate'], user: string, options: Reasoned) => Promise<Acted>,
      said: string,
      already: string,
    ) =>
    async (user: string, options: Reasoned) => {
      const acted = await act(({ accounts }) => change(accounts.operate, user, options));
      makeOutput(options.json).done(`${acted.email} ${acted.changed ? said : already}.`, acted);
    };
  const reasoned = (command: Command) => command.requiredOption('--reason <reason>', 'why; audited');
  const perhapsReasoned = (command: Command) => command.option('--reason <reason>', 'why; audited');

  const restrictions = [
    ['ban', 'banned', 'ban a user: live tokens may only read /api/auth/me, log out and delete'],
    ['disable', 'disabled', 'disable a user, with the effect of a ban'],
  ] as const;
  for (const [name, said, description] of restrictions) {
    reasoned(verb(noun, `${name} <user>`, description))
      .option('--until <time>', 'when it ends, ISO 8601; never when not given', timeOption)
      .action(
        does(
          (operate, user, { reason = '', until = null }) =>
            operate[name](user, { reason, until }, operator()),
          `is ${said}`,
          `was ${said} already`,
        ),
      );
  }

  perhapsReasoned(verb(noun, 'unban <user>', 'end a ban')).action(
    does(
      (operate, user, { reason }) => operate.unban(user, operator(reason)),
      'is not banned any more',
      'was not banned',
    ),
  );
  perhapsReasoned(verb(noun, 'enable <user>', 'end a disablement')).action(
    does(
      (operate, user, { reason }) => operate.enable(user, operator(reason)),
      'is enabled',
      'was not disabled',
    ),
  );
  perhapsReasoned(
    verb(noun, 'unlock <user>', 'end every hold: on passwords, emailed codes and the second factor'),
  ).action(
    does((operate, user, { reason }) => operate.unlock(user, operator(reason)), 'is held no more', ''),
  );
  perhapsReasoned(verb(noun, 'logout <user>', 'end all sessions of a user')).action(
    does(
      (operate, user, { reason }) => operate.endSessions(user, operator(reason)),
      'is logged out everywhere',
      '',
    ),
  );
  perhapsReasoned(verb(noun, 'verify <user>', 'take the email of a user as verified')).action(
    does(
      (operate, user, { reason }) => operate.takeEmailAsVerified(user, operator(reason)),
      'is verified',
      'was verified already',
    ),
  );
  reasoned(
    verb(noun, 'reset-2fa <user>', 'remove the second factor, end all sessions and tell the user by mail'),
  ).action(
    does(
      (operate, user, { reason = '' }) => operate.resetTwoFactor(user, { ...operator(), reason }),
      'has no second factor any more, and is told by mail',
      'had no second factor',
    ),
  );
};
