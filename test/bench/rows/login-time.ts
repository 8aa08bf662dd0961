import { openTestService, type User } from '../../support/service.ts';
import { openConnection } from '../connection.ts';
import { inFolder } from '../folder.ts';
import { logIn } from '../ground.ts';
import type { Measure } from '../measure.ts';
import { requestOf } from '../request.ts';
import { SETTINGS, startServer } from '../server.ts';
import { median } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const ROUNDS = 15;
const CHEAP = 'ln=14,r=8,p=1';

/** Users with cheap hashes, one for each round, because the right password replaces the hash. */
const signUp = async (folder: string): Promise<readonly User[]> => {
  const service = await openTestService({ ...SETTINGS, SCRYPT: CHEAP }, folder);
  const users: User[] = [];
  while (users.length < ROUNDS + 2) users.push(await service.signUp());
  await service.close();
  return users;
};

/** Whether the time of a login reveals if the email exists or which hash is stored. */
export const loginTime = ({ say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    const [standard, cheap, ...fresh] = await signUp(folder);
    if (standard === undefined || cheap === undefined) throw new Error('No user was signed up.');
    const server = await startServer(folder);
    const connection = openConnection(server.port);
    const ask = async (user: User): Promise<number> => {
      const startedAt = performance.now();
      await connection.ask(requestOf(logIn(user)));
      return performance.now() - startedAt;
    };
    const wrong = (user: User): User => ({ ...user, password: 'a wrong password' });
    const kinds: Readonly<Record<string, (round: number) => User>> = {
      unknown: (round) => wrong({ ...standard, email: `nobody${round}@example.com` }),
      'standard, wrong': () => wrong(standard),
      'standard, right': () => standard,
      [`${CHEAP}, wrong`]: () => wrong(cheap),
      [`${CHEAP}, right`]: (round) => fresh[round] ?? cheap,
    };
    try {
      say('login time: warming up');
      for (let time = 0; time < 3; time += 1) await ask(standard);
      const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
      for (let round = 0; round < ROUNDS; round += 1) {
        say(`login time: round ${round + 1} of ${ROUNDS}`);
        // In random order, because the work of one kind may slow down the next.
        const turns = Object.entries(kinds).toSorted(() => Math.random() - 0.5);
        for (const [kind, userOf] of turns) times.get(kind)?.push(await ask(userOf(round)));
      }
      const medians = [...times].map(([kind, all]) => [kind, median(all)] as const);
      const all = medians.map(([, milliseconds]) => milliseconds);
      return [
        atMostTimes(1.15, {
          row: 'the longest kind of login',
          unit: 'ms',
          product: Math.max(...all),
          reference: Math.min(...all),
          against: 'the shortest',
          note: medians.map(([kind, milliseconds]) => `${kind} ${milliseconds.toFixed(0)} ms`).join('; '),
        }),
      ];
    } finally {
      connection.close();
      await server.close();
    }
  });
