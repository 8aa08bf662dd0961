import { Argument, Command } from 'commander';
import { type Desk, operator } from './desk.ts';
import { makeOutput } from './output.ts';
import { type Common, verb } from './values.ts';

interface Reasoned extends Common {
  readonly reason?: string;
}

/** `gatehouse operator`: say who may use the admin endpoints. */
export const operatorCommand = ({ act }: Desk): Command => {
  const noun = new Command('operator').description('say who is an operator');

  verb(noun, 'grant <user>', 'make a user an operator')
    .addArgument(
      new Argument('<role>', 'founders may also say who is an operator').choices(['founder', 'dev']),
    )
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, role: 'founder' | 'dev', { json, reason }: Reasoned) => {
      const granted = await act(({ accounts: { operate } }) => operate.appoint(user, role, operator(reason)));
      makeOutput(json).done(`${granted.email} ${granted.changed ? 'is' : 'was'} ${role}.`, granted);
    });

  verb(noun, 'revoke <user>', 'make an operator a user like any other')
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, { json, reason }: Reasoned) => {
      const granted = await act(({ accounts: { operate } }) => operate.dismiss(user, operator(reason)));
      const message = granted.changed ? 'is no operator any more' : 'was no operator';
      makeOutput(json).done(`${granted.email} ${message}.`, granted);
    });
  return noun;
};
