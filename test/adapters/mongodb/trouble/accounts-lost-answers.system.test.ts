import { expect } from 'chai';
import { accountStoreIndexes, makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import { attemptsStoreIndexes, makeMongoAttemptsStore } from '../../../../adapters/mongodb/attempts-store.ts';
import { domainStoreIndexes, makeMongoDomainStore } from '../../../../adapters/mongodb/domain-store.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { makeMongoSessionStore, sessionStoreIndexes } from '../../../../adapters/mongodb/session-store.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import { NOW, sampleAccount, sampleSession } from '../../../contracts/samples.ts';
import { mongoForTests } from '../opened.ts';
import { losingAnswers } from './losing-answers.ts';

const INDEXES = {
  ...accountStoreIndexes,
  ...sessionStoreIndexes,
  ...attemptsStoreIndexes,
  ...domainStoreIndexes,
};

describe('Accounts in MongoDB whose first answers are all lost', () => {
  const mongo = mongoForTests();
  let opened: Awaited<ReturnType<typeof mongo.open>>;
  let database: MongoDatabase;
  beforeEach(async () => {
    opened = await mongo.open(INDEXES);
    database = losingAnswers(opened.database);
  });
  afterEach(() => opened.close());

  it('are added, saved, moved, deleted and removed once, and it is said so', async () => {
    const store = makeMongoAccountStore(database);
    const account = sampleAccount('a');
    expect(await store.add(account)).to.equal(true);
    expect(await store.add(sampleAccount('b', { email: account.email }))).to.equal(false);
    expect(await store.save({ ...account, displayName: 'New' })).to.equal(true);
    const moved = { ...account, email: 'moved@example.com', version: 2 };
    expect(await store.save(moved)).to.equal(true);
    expect(await store.save(moved)).to.equal(false);
    expect(await store.find('a')).to.deep.equal({ ...moved, version: 3 });
    expect(await store.save(tombstoneOf({ ...moved, version: 3 }, NOW))).to.equal(true);
    for (const email of [account.email, moved.email]) {
      const rival = sampleAccount(`other of ${email}`, { email });
      expect(await store.add(rival)).to.equal(true);
      expect(await store.remove(rival)).to.equal(true);
      expect(await store.remove(rival)).to.equal(false);
    }
  });

  it('are added once in batches, and it is said so', async () => {
    const store = makeMongoAccountStore(database);
    const all = ['a', 'b', 'c'].map((id) => sampleAccount(id));
    await store.add(sampleAccount('z', { email: 'c@example.com' }));
    const nothing = async () => undefined;
    expect(await store.addAll(all, nothing)).to.deep.equal([true, true, false]);
    expect(await store.addAll(all, nothing)).to.deep.equal([false, false, false]);
    expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
  });

  it('have sessions that begin, change and end once', async () => {
    const store = makeMongoSessionStore(database);
    for (const id of ['a', 'b', 'c', 'd']) await store.add(sampleSession(id), 3);
    expect((await store.list('user')).map(({ id }) => id)).to.deep.equal(['d', 'c', 'b']);
    const changed = sampleSession('b', { refreshDigest: 'next' });
    expect(await store.change(sampleSession('b'), changed)).to.equal(true);
    expect(await store.find('user', 'b')).to.deep.equal(changed);
    expect(await store.change(sampleSession('b'), changed)).to.equal(false);
    expect(await store.end('user', 'b', NOW)).to.equal(true);
    expect(await store.end('user', 'b', NOW)).to.equal(false);
    expect(await store.endAll('user', { keep: null, beforeVersion: null }, NOW)).to.equal(2);
  });

  it('have wrong tries that count once', async () => {
    const store = makeMongoAttemptsStore(database);
    for (const [now, count] of [
      [NOW, 1],
      [NOW + 1, 2],
      [NOW + 2, 3],
      [NOW + 5_000, 1],
      [NOW + 5_001, 2],
    ] as const) {
      expect((await store.add('a', 1_000, now)).count).to.equal(count);
    }
    const counts = ['b', 'c'].map((key) => ({ key, most: 1 }));
    expect(await store.addInTurn(counts, 1_000, NOW)).to.equal(undefined);
    expect(await store.addInTurn(counts, 1_000, NOW)).to.deep.equal({ count: 2, firstAt: NOW });
    expect(await store.find('c', NOW)).to.deep.equal({ count: 1, firstAt: NOW });
  });

  it('have domains that are claimed, changed and freed once', async () => {
    const store = makeMongoDomainStore(database);
    const record = { domain: 'a.dev', revision: 'first', owner: null, claims: [], lookAt: NOW };
    for (const _ of ['new', 'anew']) {
      expect(await store.add(record)).to.equal(true);
      expect(await store.add(record)).to.equal(false);
      expect(await store.save({ ...record, revision: 'second' }, 'first')).to.equal(true);
      expect(await store.remove('a.dev', 'second')).to.equal(true);
      expect(await store.remove('a.dev', 'second')).to.equal(false);
    }
  });
});
