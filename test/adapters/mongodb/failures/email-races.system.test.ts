import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import { ACCOUNTS } from '../../../../adapters/mongodb/documents/account-document.ts';
import { type MongoDatabase, openMongo } from '../../../../adapters/mongodb/engine/client.ts';
import { makeIndexes } from '../../../../adapters/mongodb/engine/indexes.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import type { AccountStore } from '../../../../core/accounts/ports.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { indexesOf, mongoForTests, PATIENCE_MS, withLongTimeouts } from '../mongo-for-tests.ts';

/** A store that delays each call by a random time. */
const delayed = (database: MongoDatabase, maxMs: number): AccountStore =>
  makeMongoAccountStore({
    ...database,
    call: async (work) => {
      await pause(Math.random() * maxMs);
      return database.call(work);
    },
  });

const anyOf = <T>(values: readonly [T, ...T[]]): T =>
  values[Math.floor(Math.random() * values.length)] ?? values[0];

describe('Emails that two connections to MongoDB claim', () => {
  const name = `gatehouse-test-${randomUUID()}`;
  const databases: MongoDatabase[] = [];
  let stores: readonly AccountStore[];

  // Runs before the hook of `mongoForTests`, which ends the server.
  after(async () => {
    await databases[0]?.client.db(name).dropDatabase();
    for (const database of databases) await database.close();
  });
  const mongo = mongoForTests();
  before(async () => {
    const url = withLongTimeouts(mongo.url(name));
    for (let count = 0; count < 2; count += 1)
      databases.push(await openMongo({ url, deadline: PATIENCE_MS }));
    for (const database of databases.slice(0, 1))
      await makeIndexes(database, indexesOf('accounts', 'emails'));
    stores = databases.map((database) => makeMongoAccountStore(database));
  });

  const storeAt = (place: number): AccountStore => {
    const store = stores[place % stores.length];
    if (store === undefined) throw new Error('There is no store.');
    return store;
  };
  const owners = async (email: string): Promise<readonly string[]> => {
    const accounts = await databases[0]?.collection(ACCOUNTS).find({ email }).toArray();
    return (accounts ?? []).map(({ _id }) => String(_id));
  };

  it('go to one account, also if each step takes longer than other claims wait', () =>
    inRounds(async (round) => {
      const email = `slow${round}@example.com`;
      const added = await race(6, (place) => {
        const database = databases[place % 2];
        if (database === undefined) throw new Error('There is no database.');
        return delayed(database, 400).add(sampleAccount(`slow${round}-${place}`, { email }));
      });
      expect(added.filter(Boolean)).to.have.length(1);
      expect(await owners(email)).to.deep.equal([`slow${round}-${added.indexOf(true)}`]);
    }));

  it('have at most one account each during concurrent writes, and can be registered if free', () =>
    inRounds(async (round) => {
      const emails = [`x${round}@example.com`, `y${round}@example.com`] as const;
      const ids = Array.from({ length: 8 }, (_, place) => `mixed${round}-${place}`);
      for (const id of ids) await storeAt(0).add(sampleAccount(id));
      await race(ids.length * 2, async (place) => {
        const store = storeAt(place);
        const id = ids[place % ids.length] ?? '';
        for (let step = 0; step < 4; step += 1) {
          const account = (await store.find(id)) ?? sampleAccount(id);
          const moved = { ...account, email: anyOf(emails) };
          const action = anyOf(['move', 'move', 'move', 'leave', 'delete', 'remove', 'add'] as const);
          if (action === 'move') await store.save(moved);
          if (action === 'leave') await store.save({ ...account, email: `${id}@example.com` });
          if (action === 'delete' && step > 1) await store.save(tombstoneOf(account, NOW));
          if (action === 'remove' && step > 1) await store.remove(account);
          if (action === 'add')
            await store.add(sampleAccount(`${id}-${step}-${place}`, { email: anyOf(emails) }));
          expect((await owners(anyOf(emails))).length).to.be.lessThan(2);
        }
      });
      for (const email of emails) {
        const ownerIds = await owners(email);
        const added = await storeAt(1).add(sampleAccount(`last of ${email}`, { email }));
        expect(added).to.equal(ownerIds.length === 0);
        expect(await owners(email)).to.have.length(1);
      }
    }));
});
