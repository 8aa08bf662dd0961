import { type CommandAnswer, runCommand } from '../command.ts';
import type { Measure } from '../measure.ts';
import { lineOf } from '../print.ts';
import { emailOf, type UnopenedStore, userId } from '../scale.ts';
import { atMostTimes, type Row } from '../verdict.ts';
import { GOAL } from './scale-routes.ts';

/** By what is typed; the number is that of a user. */
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

/** What a command takes over a great store, its start and all, against a small one. */
export const commandsOf = async (
  small: UnopenedStore & { readonly users: number },
  great: UnopenedStore & { readonly users: number },
  kind: string,
  { say, rounds }: Measure,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const [name, argsOf] of Object.entries(COMMANDS)) {
    say(`scale: ${kind}, ${great.users} users: gatehouse ${name}`);
    const of = async (place: typeof small, round: number) => {
      const number = Math.floor((round * place.users) / (rounds + 1) / 100) * 100 + 35;
      const answer = await runCommand(place, argsOf(number));
      if (answer.code !== 0) throw new Error(`It ended with ${answer.code}: ${answer.printed.slice(0, 200)}`);
      return answer;
    };
    try {
      const pairs: { readonly small: CommandAnswer; readonly great: CommandAnswer }[] = [];
      for (let round = 1; round <= rounds; round += 1)
        pairs.push({ small: await of(small, round), great: await of(great, round) });
      // What else goes on only ever adds.
      const cpu = (size: 'small' | 'great') => Math.round(Math.min(...pairs.map((pair) => pair[size].cpu)));
      const row = atMostTimes(GOAL, {
        row: `gatehouse ${name}`,
        unit: 'ms',
        product: Math.min(...pairs.map((pair) => pair.great.took)),
        reference: Math.min(...pairs.map((pair) => pair.small.took)),
        against: `${small.users} users`,
        note: `CPU ${cpu('small')} to ${cpu('great')} ms (${(cpu('great') / cpu('small')).toFixed(2)})`,
      });
      say(lineOf(row));
      rows.push(row);
    } catch (error) {
      say(`gatehouse ${name} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
};
