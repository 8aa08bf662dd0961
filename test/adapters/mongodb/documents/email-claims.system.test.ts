import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import type { AccountStore } from '../../../../core/accounts/ports.ts';
import { race } from '../../../contracts/race.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { indexesOf, mongoForTests } from '../opened.ts';

/** The store of a process in which something happens before each call to the server, told its number from 1. */
const interrupted = (database: MongoDatabase, happen: (call: number) => Promise<unknown>): AccountStore => {
  let calls = 0;
  return makeMongoAccountStore({
    ...database,
    call: async (work) => {
      calls += 1;
      await happen(calls);
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
const wanting = (id: string, email = EMAIL) => sampleAccount(id, { email });

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

  interface Given {
    readonly id: string;
    readonly email: string;
    readonly crashing: AccountStore;
  }
  const writes: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
    'an account that is added': ({ crashing, id, email }) => crashing.add(wanting(id, email)),
    'an account that moves to it': async ({ crashing, id, email }) => {
      await store.add(sampleAccount(id));
      return crashing.save(wanting(id, email));
    },
    'an account that moves away from it': async ({ crashing, id, email }) => {
      await store.add(wanting(id, email));
      return crashing.save(sampleAccount(id));
    },
    'an account that is deleted': async ({ crashing, id, email }) => {
      await store.add(wanting(id, email));
      return crashing.save(tombstoneOf(wanting(id, email), NOW));
    },
    'an account that is removed': async ({ crashing, id, email }) => {
      await store.add(wanting(id, email));
      return crashing.remove(wanting(id, email));
    },
  };
  for (const [what, write] of Object.entries(writes)) {
    it(`is free or taken, and never lost, whenever a process dies over ${what}`, async () => {
      let at = 0;
      for (let isWhole = false; !isWhole; ) {
        at += 1;
        const email = `wanted${at}@example.com`;
        const [id, otherId] = [`a${at}`, `b${at}`];
        const crashing = crashingAt(database(), at);
        isWhole = await write({ crashing, id, email }).then(
          () => true,
          (error: unknown) => {
            expect(error).to.be.instanceOf(Crash);
            return false;
          },
        );
        const owner = await owners(email);
        const isFree = owner.length === 0;
        expect(await store.add(wanting(otherId, email)), `died at call ${at}`).to.equal(isFree);
        expect(await owners(email), `died at call ${at}`).to.deep.equal(isFree ? [otherId] : owner);
      }
      expect(at).to.be.greaterThan(2);
    });
  }

  it('goes to whoever comes while an account is added for too long, and that one is refused', async () => {
    const slow = interrupted(database(), async (call) => {
      if (call === 2) expect(await store.add(wanting('b'))).to.equal(true);
    });
    expect(await slow.add(wanting('a'))).to.equal(false);
    expect(await owners()).to.deep.equal(['b']);
    expect(await store.find('a')).to.equal(undefined);
    expect(await store.add(wanting('c'))).to.equal(false);
  });

  it('goes to whoever comes while an account moves to it, and that one stays where it is', async () => {
    await store.add(sampleAccount('a'));
    const slow = interrupted(database(), async (call) => {
      if (call === 4) expect(await store.add(wanting('b'))).to.equal(true);
    });
    expect(await slow.save(wanting('a'))).to.equal(false);
    expect(await owners()).to.deep.equal(['b']);
    expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
    expect(await store.add(wanting('c'))).to.equal(false);
    expect(await store.save({ ...sampleAccount('a'), displayName: 'New' })).to.equal(true);
  });

  it('stays with an account whose move to it was done, and taken for failed', async () => {
    await store.add(sampleAccount('a'));
    let calls = 0;
    const deaf = makeMongoAccountStore({
      ...database(),
      call: (work) => {
        calls += 1;
        const isMove = calls === 4;
        return database().call(async (attempt, until) => {
          const answer = await work(attempt, until);
          if (!isMove || attempt > 0) return answer;
          expect(await store.save({ ...wanting('a'), version: 2 })).to.equal(true);
          throw new MongoNetworkError('cut');
        });
      },
    });
    expect(await deaf.save(wanting('a'))).to.equal(false);
    expect(await owners()).to.deep.equal(['a']);
    expect(await store.add(wanting('b'))).to.equal(false);
  });

  it('goes back to an account that moves away and returns', async () => {
    await store.add(wanting('a'));
    expect(await store.save(sampleAccount('a'))).to.equal(true);
    expect(await store.save(sampleAccount('a', { email: EMAIL, version: 2 }))).to.equal(true);
    expect(await owners()).to.deep.equal(['a']);
    expect(await store.add(wanting('b'))).to.equal(false);
    expect(await store.add(sampleAccount('b', { email: 'a@example.com' }))).to.equal(true);
  });

  it('is kept from nobody by an account that was refused for its id', async () => {
    await store.add(sampleAccount('a'));
    expect(await store.add(wanting('a'))).to.equal(false);
    expect(await store.add(wanting('b'))).to.equal(true);
  });

  it('is not had twice by an account that is added many times at once', async () => {
    const added = await race(20, () => store.add(wanting('a')));
    const count = added.filter(Boolean).length;
    expect(count).to.be.lessThan(2);
    expect(await store.add(wanting('b'))).to.equal(count === 0);
  });

  it('is not needed by a tombstone that is added', async () => {
    expect(await store.add(tombstoneOf(wanting('a'), NOW))).to.equal(true);
    expect(await store.add(tombstoneOf(wanting('b'), NOW))).to.equal(true);
    expect(await store.find('a')).to.deep.equal(tombstoneOf(wanting('a'), NOW));
  });

  it('leaves nothing to be found or listed of an account that was removed', async () => {
    await store.add(wanting('a'));
    await store.remove(wanting('a'));
    expect(await store.find('a')).to.equal(undefined);
    expect(await store.findByEmail(EMAIL)).to.equal(undefined);
    expect(await store.listWhere({ fact: 'unverified', before: NOW + 1 }, 10)).to.deep.equal([]);
    expect(JSON.stringify(await database().collection('accounts').find().toArray())).not.to.include('@');
  });
});
