import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loginKeyClaim, makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import { inRounds } from '../../../contracts/race.ts';
import { sampleAccount, sampleFlow } from '../../../contracts/samples.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { addKey, type Death, type Order } from './claimer.ts';
import { openStore } from './open-store.ts';

const PROGRAM = fileURLToPath(new URL('./claimer.js', import.meta.url));

/** Each process of a round has one of these deaths; short runs use the first ones. */
const DEATHS: readonly (Death | undefined)[] = [
  { write: 'record', when: 'after' },
  { write: 'account', when: 'amid' },
  undefined,
  { write: 'account', when: 'before' },
  { write: 'record', when: 'amid' },
  { write: 'account', when: 'after' },
  { write: 'record', when: 'before' },
];

/** A long run covers each pair of deaths several times. */
const KILLS = process.env.LONG === undefined ? ROUNDS : Math.max(200, ROUNDS);

const ownKey = (user: string) => `passkey:own-of-${user}`;

/** Tests of several processes, also killed ones, on the login keys and flows of one store. */
export const loginKeysInProcesses = (
  name: string,
  settings: () => Readonly<Record<string, string>>,
): void => {
  describe(`Processes that claim one login key of ${name}`, function () {
    this.timeout(300_000 + KILLS * 5_000);
    const folder = useTempFolder('suite');
    let store: Awaited<ReturnType<typeof openStore>>;
    const children: ChildProcess[] = [];

    before(async () => {
      store = await openStore(folder(), settings());
    });
    afterEach(() => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
    });
    after(() => store.close());

    /** The next message of the process; undefined if the process ends first. */
    const nextMessage = (child: ChildProcess) =>
      new Promise<unknown>((resolve) => {
        const settle = (message: unknown) => {
          child.off('message', settle).off('exit', settle);
          resolve(typeof message === 'object' || typeof message === 'string' ? message : undefined);
        };
        child.on('message', settle).on('exit', settle);
      });
    const start = async (): Promise<ChildProcess> => {
      const child = fork(PROGRAM, [folder(), JSON.stringify(settings())]);
      children.push(child);
      expect(await nextMessage(child)).to.equal('ready');
      return child;
    };
    /** The outcome of the order; undefined if the process was killed. */
    const execute = (child: ChildProcess, order: Order) => {
      const answer = nextMessage(child);
      child.send(order);
      return answer as Promise<readonly string[] | undefined>;
    };
    /** Verified users without a password, each with one login key. */
    const signUp = async (...users: readonly string[]): Promise<void> => {
      for (const user of users) {
        await store.ports.accounts.add(sampleAccount(user, { verified: true, passwordHash: null }));
        expect(await addKey(store.ports, user, ownKey(user))).to.equal('added');
      }
    };
    const ownersOf = async (key: string, users: readonly string[]): Promise<readonly string[]> => {
      const accounts = await Promise.all(users.map((user) => store.ports.accounts.find(user)));
      return accounts.flatMap((account) => (account && loginKeyClaim(account, key) ? [account.id] : []));
    };

    it('give the key to one of 50 accounts, and a flow to one of 50 calls', async () => {
      const [first, second] = await Promise.all([start(), start()]);
      await inRounds(async (round) => {
        const [key, flow] = [`oidc:race-${round}`, `flow ${round}`];
        const users = Array.from({ length: 50 }, (_, place) => `racer-${round}-${place}`);
        for (const user of users) await store.ports.accounts.add(sampleAccount(user, { verified: true }));
        const halves = [users.slice(0, 25), users.slice(25)] as const;
        const outcomes = await Promise.all([
          execute(first, { act: 'add', users: halves[0], key }),
          execute(second, { act: 'add', users: halves[1], key }),
        ]);
        const claimOutcomes = outcomes.flatMap((half) => half ?? []);
        const winners = users.filter((_, place) => claimOutcomes[place] === 'added');
        expect(claimOutcomes.filter((outcome) => outcome === 'taken')).to.have.length(49);
        expect(winners).to.have.length(1);
        expect(await ownersOf(key, users)).to.deep.equal(winners);
        const record = await makeLoginKeys(store.ports).find(key);
        expect([record?.account.id, record?.claimed]).to.deep.equal([winners[0], true]);

        const now = Date.now();
        await store.ports.flows.add(sampleFlow(flow, {}, now));
        const steps = await Promise.all(
          [first, second].map((child) => execute(child, { act: 'step', flow, times: 25, now })),
        );
        expect(steps.flat()).to.deep.equal([true]);
      });
    });

    it('leave the key to one account if they are killed, and every account its own key', async () => {
      for (let round = 1; round <= KILLS; round += 1) {
        const key = `oidc:kill-${round}`;
        const users = ['ada', 'bob', 'cyd'].map((user) => `${user}-${round}`);
        const [ada = '', bob = '', cyd = ''] = users;
        await signUp(...users);
        const [first, second] = await Promise.all([start(), start()]);
        const order = (user: string, death: Death | undefined): Order => ({
          act: 'add',
          users: [user],
          key,
          ...(death !== undefined && { death }),
        });
        await Promise.all([
          execute(first, order(ada, DEATHS[(round - 1) % DEATHS.length])),
          execute(second, order(bob, DEATHS[Math.ceil(round / DEATHS.length) % DEATHS.length])),
        ]);
        for (const child of children.splice(0)) child.kill('SIGKILL');

        // A statement of a killed process may still reach a server, before or after this claim.
        const next = await addKey(store.ports, cyd, key);
        const owners = await ownersOf(key, users);
        expect(owners).to.have.length(1);
        if (next === 'added') expect(owners).to.deep.equal([cyd]);
        else expect([next, owners.includes(cyd)]).to.deep.equal(['taken', false]);

        const [owner = ''] = owners;
        const keys = makeLoginKeys(store.ports);
        expect((await keys.find(key))?.account.id).to.equal(owner);
        for (const user of users) {
          expect(await addKey(store.ports, user, key)).to.equal(user === owner ? 'claimed anew' : 'taken');
          const own = await keys.find(ownKey(user));
          expect([own?.account.id, own?.claimed], 'their own login key').to.deep.equal([user, true]);
        }
        expect((await keys.find(key))?.claimed).to.equal(true);
      }
    });
  });
};
