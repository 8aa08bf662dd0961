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

/** Each process of a round has one of these deaths; the first of them come in short runs too. */
const DEATHS: readonly (Death | undefined)[] = [
  { write: 'record', when: 'after' },
  { write: 'account', when: 'amid' },
  undefined,
  { write: 'account', when: 'before' },
  { write: 'record', when: 'amid' },
  { write: 'account', when: 'after' },
  { write: 'record', when: 'before' },
];

/** A long run has each pair of deaths several times. */
const KILLS = process.env.LONG === undefined ? ROUNDS : Math.max(200, ROUNDS);

const ownKey = (user: string) => `passkey:own-of-${user}`;

/** What processes of their own do to login keys and flows of one store, killed ones too. */
export const loginKeysInProcesses = (
  name: string,
  settings: () => Readonly<Record<string, string>>,
): void => {
  describe(`Processes that want one login key of ${name}`, function () {
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

    /** What the process tells next; undefined for one that ends before. */
    const heard = (child: ChildProcess) =>
      new Promise<unknown>((resolve) => {
        const hear = (message: unknown) => {
          child.off('message', hear).off('exit', hear);
          resolve(typeof message === 'object' || typeof message === 'string' ? message : undefined);
        };
        child.on('message', hear).on('exit', hear);
      });
    const start = async (): Promise<ChildProcess> => {
      const child = fork(PROGRAM, [folder(), JSON.stringify(settings())]);
      children.push(child);
      expect(await heard(child)).to.equal('ready');
      return child;
    };
    /** What came of the order; undefined where the process was killed. */
    const told = (child: ChildProcess, order: Order) => {
      const answer = heard(child);
      child.send(order);
      return answer as Promise<readonly string[] | undefined>;
    };
    /** Verified users without a password: each signs in by a key alone. */
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

    it('give it to one of 50 accounts, and a flow to one of 50 calls', async () => {
      const [one, other] = await Promise.all([start(), start()]);
      await inRounds(async (round) => {
        const [key, flow] = [`oidc:race-${round}`, `flow ${round}`];
        const users = Array.from({ length: 50 }, (_, place) => `racer-${round}-${place}`);
        for (const user of users) await store.ports.accounts.add(sampleAccount(user, { verified: true }));
        const halves = [users.slice(0, 25), users.slice(25)] as const;
        const outcomes = await Promise.all([
          told(one, { act: 'add', users: halves[0], key }),
          told(other, { act: 'add', users: halves[1], key }),
        ]);
        const all = outcomes.flatMap((half) => half ?? []);
        const winners = users.filter((_, place) => all[place] === 'added');
        expect(all.filter((outcome) => outcome === 'taken')).to.have.length(49);
        expect(winners).to.have.length(1);
        expect(await ownersOf(key, users)).to.deep.equal(winners);
        const found = await makeLoginKeys(store.ports).find(key);
        expect([found?.account.id, found?.claimed]).to.deep.equal([winners[0], true]);

        const now = Date.now();
        await store.ports.flows.add(sampleFlow(flow, {}, now));
        const taken = await Promise.all(
          [one, other].map((child) => told(child, { act: 'step', flow, times: 25, now })),
        );
        expect(taken.flat()).to.deep.equal([true]);
      });
    });

    it('leave it to one account, wherever they are killed, and every account its own', async () => {
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
          told(first, order(ada, DEATHS[(round - 1) % DEATHS.length])),
          told(second, order(bob, DEATHS[Math.ceil(round / DEATHS.length) % DEATHS.length])),
        ]);
        for (const child of children.splice(0)) child.kill('SIGKILL');

        // What a killed process sent may still be on its way to a server: this comes before or after it.
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
          expect([own?.account.id, own?.claimed], 'their own way in').to.deep.equal([user, true]);
        }
        expect((await keys.find(key))?.claimed).to.equal(true);
      }
    });
  });
};
