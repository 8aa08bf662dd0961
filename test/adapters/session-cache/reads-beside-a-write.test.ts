import { expect } from 'chai';
import { makeCachedSessions, silentAnnouncer } from '../../../adapters/session-cache/session-cache.ts';
import { inRounds, race } from '../../contracts/race.ts';
import { sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { openStores, type Stores } from './open-stores.ts';

/** All interleavings of two sequences of steps. */
const merges = (left: string, right: string): readonly string[] => {
  if (left === '' || right === '') return [left + right];
  const withFirst = (first: string, rest: readonly string[]) => rest.map((steps) => first + steps);
  return [
    ...withFirst(left.charAt(0), merges(left.slice(1), right)),
    ...withFirst(right.charAt(0), merges(left, right.slice(1))),
  ];
};

const makeGate = () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened: gate };
};

describe('Reads during a write', () => {
  let store: Stores;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ store, close } = await openStores());
    await store.accounts.add(sampleAccount('user'));
    await store.sessions.add(sampleSession('a'), 20);
  });

  afterEach(() => close());

  // b, d, c: a read begins, is done in the store and returns. B, D, A: a write begins, is done and is acknowledged.
  for (const order of merges('bdc', 'BDA').filter((steps) => steps !== 'BDAbdc')) {
    it(`leave no stale entry in the order ${order}`, async () => {
      const gates = new Map([...'dcDA'].map((step) => [step, makeGate()]));
      const passed = new Map([...'dD'].map((step) => [step, makeGate()]));
      let waiting = true;
      const at = async <T>(steps: string, work: () => Promise<T>): Promise<T> => {
        await gates.get(steps.charAt(0))?.opened;
        const result = await work();
        passed.get(steps.charAt(0))?.open();
        await gates.get(steps.charAt(1))?.opened;
        return result;
      };
      const { accounts, sessionCache } = makeCachedSessions({
        accounts: { ...store.accounts, save: (account) => at('DA', () => store.accounts.save(account)) },
        sessions: store.sessions,
        sessionCache: {
          find: (userId, id) => {
            const find = () => store.sessionCache.find(userId, id);
            return waiting ? at('dc', find) : find();
          },
        },
        announcer: silentAnnouncer,
      });
      let [reading, writing]: Promise<unknown>[] = [];
      for (const step of order) {
        if (step === 'b') reading = sessionCache.find('user', 'a');
        else if (step === 'B') writing = accounts.save({ ...sampleAccount('user'), displayName: 'New' });
        else gates.get(step)?.open();
        await passed.get(step)?.opened;
        if (step === 'c') await reading;
        if (step === 'A') {
          await writing;
          waiting = false;
          expect((await sessionCache.find('user', 'a'))?.account.displayName).to.equal('New');
        }
      }
      expect((await sessionCache.find('user', 'a'))?.account.displayName).to.equal('New');
    });
  }

  it('return no old value after the acknowledgement, with fifty at once', () =>
    inRounds(async () => {
      const { accounts, sessionCache } = makeCachedSessions({ ...store, announcer: silentAnnouncer });
      const before = await store.accounts.find('user');
      if (before === undefined) throw new Error('The account is missing.');
      const next = { ...before, displayName: `${before.version}` };
      const name = async () => (await sessionCache.find('user', 'a'))?.account.displayName;
      const after: (string | null | undefined)[] = [];
      const saving = accounts.save(next).then(async (saved) => {
        after.push(...(await race(50, name)));
        return saved;
      });
      await race(50, async (place) => {
        for (let turn = 0; turn < place; turn += 1) await new Promise(setImmediate);
        return name();
      });
      expect(await saving).to.equal(true);
      expect(new Set(after)).to.deep.equal(new Set([next.displayName]));
      expect(await name()).to.equal(next.displayName);
    }));
});
