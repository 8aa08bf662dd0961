import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import type { AccountStore } from '../../../../core/accounts/ports.ts';
import { race } from '../../../contracts/race.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { indexesOf, mongoForTests } from '../mongo-for-tests.ts';

/** An account store that runs `onCall` before each call to the server, with the number of the call, from 1. */
const interrupted = (database: MongoDatabase, onCall: (call: number) => Promise<unknown>): AccountStore => {
  let calls = 0;
  return makeMongoAccountStore({
    ...database,
    call: async (work) => {
      calls += 1;
      await onCall(calls);
      return database.call(work);
    },
  });
};

class Crash extends Error {}

const crashingAt = (database: MongoDatabase, at: number): AccountStore =>
  interrupted(database, async (call) => {
    if (call >= at) throw new Crash();
  });

const EMAIL = 'wanted@example.com';
const claimant = (id: string, email = EMAIL) => sampleAccount(id, { email });

describe('An email in MongoDB', () => {
  const database = mongoForTests().useDatabase(indexesOf('accounts', 'emails'));
  let store: AccountStore;

  beforeEach(() => {
    store = makeMongoAccountStore(database());
  });

  const owners = async (email = EMAIL) => {
    const accounts = await database().collection('accounts').find({ email }).toArray();
    return accounts.map(({ _id }) => String(_id));
  };

  interface WriteInput {
    readonly id: string;
    readonly email: string;
    readonly crashing: AccountStore;
  }
  const writes: Readonly<Record<string, (input: WriteInput) => Promise<unknown>>> = {
    'adding an account': ({ crashing, id, email }) => crashing.add(claimant(id, email)),
    'moving an account to it': async ({ crashing, id, email }) => {
      await store.add(sampleAccount(id));
      return crashing.save(claimant(id, email));
    },
    'moving an account away from it': async ({ crashing, id, email }) => {
      await store.add(claimant(id, email));
      return crashing.save(sampleAccount(id));
    },
    'deleting an account': async ({ crashing, id, email }) => {
      await store.add(claimant(id, email));
      return crashing.save(tombstoneOf(claimant(id, email), NOW));
    },
    'removing an account': async ({ crashing, id, email }) => {
      await store.add(claimant(id, email));
      return crashing.remove(claimant(id, email));
    },
  };
  for (const [action, write] of Object.entries(writes)) {
    it(`is free or belongs to one account after a crash at any step of ${action}`, async () => {
      let at = 0;
      for (let isComplete = false; !isComplete; ) {
        at += 1;
        const email = `wanted${at}@example.com`;
        const [id, otherId] = [`a${at}`, `b${at}`];
        const crashing = crashingAt(database(), at);
        isComplete = await write({ crashing, id, email }).then(
          () => true,
          (error: unknown) => {
            expect(error).to.be.instanceOf(Crash);
            return false;
          },
        );
        const ids = await owners(email);
        const isFree = ids.length === 0;
        expect(await store.add(claimant(otherId, email)), `died at call ${at}`).to.equal(isFree);
        expect(await owners(email), `died at call ${at}`).to.deep.equal(isFree ? [otherId] : ids);
      }
      expect(at).to.be.greaterThan(2);
    });
  }

  it('goes to a second account while the first is added too slowly, which is then refused', async () => {
    const slow = interrupted(database(), async (call) => {
      if (call === 2) expect(await store.add(claimant('b'))).to.equal(true);
    });
    expect(await slow.add(claimant('a'))).to.equal(false);
    expect(await owners()).to.deep.equal(['b']);
    expect(await store.find('a')).to.equal(undefined);
    expect(await store.add(claimant('c'))).to.equal(false);
  });

  it('goes to a new account during a slow move, and the moving account keeps its old email', async () => {
    await store.add(sampleAccount('a'));
    const slow = interrupted(database(), async (call) => {
      if (call === 4) expect(await store.add(claimant('b'))).to.equal(true);
    });
    expect(await slow.save(claimant('a'))).to.equal(false);
    expect(await owners()).to.deep.equal(['b']);
    expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
    expect(await store.add(claimant('c'))).to.equal(false);
    expect(await store.save({ ...sampleAccount('a'), displayName: 'New' })).to.equal(true);
  });

  it('stays with an account whose move to it succeeded but was reported as failed', async () => {
    await store.add(sampleAccount('a'));
    let calls = 0;
    const lossy = makeMongoAccountStore({
      ...database(),
      call: (work) => {
        calls += 1;
        const isMove = calls === 4;
        return database().call(async (attempt, until) => {
          const answer = await work(attempt, until);
          if (!isMove || attempt > 0) return answer;
          expect(await store.save({ ...claimant('a'), version: 2 })).to.equal(true);
          throw new MongoNetworkError('cut');
        });
      },
    });
    expect(await lossy.save(claimant('a'))).to.equal(false);
    expect(await owners()).to.deep.equal(['a']);
    expect(await store.add(claimant('b'))).to.equal(false);
  });

  it('goes back to an account that moves away and returns', async () => {
    await store.add(claimant('a'));
    expect(await store.save(sampleAccount('a'))).to.equal(true);
    expect(await store.save(sampleAccount('a', { email: EMAIL, version: 2 }))).to.equal(true);
    expect(await owners()).to.deep.equal(['a']);
    expect(await store.add(claimant('b'))).to.equal(false);
    expect(await store.add(sampleAccount('b', { email: 'a@example.com' }))).to.equal(true);
  });

  it('stays free if an account with it is refused because its id exists', async () => {
    await store.add(sampleAccount('a'));
    expect(await store.add(claimant('a'))).to.equal(false);
    expect(await store.add(claimant('b'))).to.equal(true);
  });

  it('belongs to at most one account if the same account is added 20 times at once', async () => {
    const added = await race(20, () => store.add(claimant('a')));
    const count = added.filter(Boolean).length;
    expect(count).to.be.lessThan(2);
    expect(await store.add(claimant('b'))).to.equal(count === 0);
  });

  it('stays free if a tombstone with it is added', async () => {
    expect(await store.add(tombstoneOf(claimant('a'), NOW))).to.equal(true);
    expect(await store.add(tombstoneOf(claimant('b'), NOW))).to.equal(true);
    expect(await store.find('a')).to.deep.equal(tombstoneOf(claimant('a'), NOW));
  });

  it('disappears from lookups, lists and documents if its account is removed', async () => {
    await store.add(claimant('a'));
    await store.remove(claimant('a'));
    expect(await store.find('a')).to.equal(undefined);
    expect(await store.findByEmail(EMAIL)).to.equal(undefined);
    expect(await store.listWhere({ fact: 'unverified', before: NOW + 1 }, 10)).to.deep.equal([]);
    expect(JSON.stringify(await database().collection('accounts').find().toArray())).not.to.include('@');
  });
});
