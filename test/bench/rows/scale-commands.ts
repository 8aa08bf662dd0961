import { type CommandAnswer, runCommand } from '../command.ts';
import type { Measure } from '../measure.ts';
import { lineOf } from '../print.ts';
import { emailOf, type UnopenedStore, userId } from '../scale.ts';
import { atMostTimes, type Row } from '../verdict.ts';
import { GOAL } from './scale-routes.ts';

/** The arguments of each command, for a user's number. */
const COMMANDS: Readonly<Record<string, (number: number) => readonly string[]>> = {
  stats: () => ['stats'],
  'users list': () => ['users', 'list'],
  'users list --tier pro --page 3': () => ['users', 'list', '--tier', 'pro', '--page', '3'],
  'users list --email PART': () => ['users', 'list', '--email', 'person-1'],
  'users show': (number) => ['users', 'show', emailOf(number)],
  'users sessions': (number) => ['users', 'sessions', userId(number)],
  'users ban': (number) => ['users', 'ban', userId(number), '--reason', 'a test'],
  'users unban': (number) => ['users', 'unban', userId(number)],
  'users unlock': (number) => ['users', 'unlock', emailOf(number)],
  'users send-reset': (number) => ['users', 'send-reset', emailOf(number)],
  'users export': (number) => ['users', 'export', emailOf(number)],
  'tier set': (number) => ['tier', 'set', emailOf(number), 'pro'],
  'tier clear': (number) => ['tier', 'clear', emailOf(number)],
  'billing replay': () => ['billing', 'replay'],
  'billing reconcile USER': (number) => ['billing', 'reconcile', userId(number)],
  'cache prefetch': (number) => ['cache', 'prefetch', userId(number), '--limit', '10'],
  'cache stats': () => ['cache', 'stats'],
  'audit list --user USER': (number) => ['audit', 'list', '--user', userId(number)],
  'mail list': () => ['mail', 'list'],
  'webhooks list': () => ['webhooks', 'list'],
  'keys status': () => ['keys', 'status'],
};

/** The time of each command on a large store, including its start, against a small one. */
export const commandsOf = async (
  small: UnopenedStore & { readonly users: number },
  large: UnopenedStore & { readonly users: number },
  kind: string,
  { say, rounds }: Measure,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const [name, argsOf] of Object.entries(COMMANDS)) {
    say(`scale: ${kind}, ${large.users} users: gatehouse ${name}`);
    const runOn = async (store: typeof small, round: number) => {
      const number = Math.floor((round * store.users) / (rounds + 1) / 100) * 100 + 35;
      const answer = await runCommand(store, argsOf(number));
      if (answer.code !== 0) throw new Error(`exit code ${answer.code}: ${answer.printed.slice(0, 200)}`);
      return answer;
    };
    try {
      const pairs: { readonly small: CommandAnswer; readonly large: CommandAnswer }[] = [];
      for (let round = 1; round <= rounds; round += 1)
        pairs.push({ small: await runOn(small, round), large: await runOn(large, round) });
      // The minimum, because other load only adds time.
      const cpu = (size: 'small' | 'large') => Math.round(Math.min(...pairs.map((pair) => pair[size].cpu)));
      const row = atMostTimes(GOAL, {
        row: `gatehouse ${name}`,
        unit: 'ms',
        product: Math.min(...pairs.map((pair) => pair.large.elapsedMs)),
        reference: Math.min(...pairs.map((pair) => pair.small.elapsedMs)),
        against: `${small.users} users`,
        note: `CPU ${cpu('small')} to ${cpu('large')} ms (${(cpu('large') / cpu('small')).toFixed(2)})`,
      });
      say(lineOf(row));
      rows.push(row);
    } catch (error) {
      say(`gatehouse ${name} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
};
