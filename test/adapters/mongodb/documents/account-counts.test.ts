import { expect } from 'chai';
import { makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import { makeMongoDirectory } from '../../../../adapters/mongodb/directory.ts';
import type { Directory } from '../../../../core/accounts/directory.ts';
import type { AccountStore } from '../../../../core/accounts/ports.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { indexesOf, mongoForTests } from '../mongo-for-tests.ts';

describe('The MongoDB directory of many accounts', () => {
  const mongo = mongoForTests();
  const database = mongo.useDatabase(indexesOf('accounts', 'emails'));
  let accounts: AccountStore;
  let time: number;

  const clock = { now: () => time };
  const open = (few = 4): Directory => makeMongoDirectory(database(), clock, { few, page: 3, step: 3 });

  const add = async (...ids: readonly string[]) => {
    for (const id of ids) await accounts.add(sampleAccount(id));
  };

  beforeEach(async () => {
    time = NOW;
    accounts = makeMongoAccountStore(database());
    await add('a', 'b', 'c', 'd');
  });

  it('counts accounts exactly while there are few', async () => {
    const directory = open();
    expect(await directory.count({})).to.equal(4);
    await accounts.remove(sampleAccount('a'));
    expect(await directory.count({})).to.equal(3);
    expect((await directory.stats(NOW)).total).to.equal(3);
    expect(await database().collection('counts').countDocuments()).to.equal(0);
  });

  it('counts in pages of an index, and caches the counts for all processes for 45 seconds', async () => {
    await add('e', 'f', 'g');
    const filters = await mongo.filtersOf(() => open().recount());
    const pages = filters.filter((filter) => '$gt' in (filter._id ?? {}));
    expect(pages.map(({ _id }) => _id.$gt)).to.deep.equal(['', 'c', 'f']);
    await open(0).recount();
    await add('h');
    time += 45_000;
    expect(await open().count({})).to.equal(7);
    expect(await open().count({ tier: 'free' })).to.equal(7);
    expect(await open().count({ tier: 'pro' })).to.equal(0);
    expect((await open().stats(time)).byTier).to.deep.equal({ free: 7 });
    time += 1;
    expect(await open().count({})).to.equal(8);
  });

  it('recounts if the cached counts are 25 seconds old, but not if they are 20', async () => {
    await add('e');
    const directory = open();
    await directory.recount();
    await add('f');
    time += 20_000;
    await directory.recount();
    expect(await directory.count({})).to.equal(5);
    time += 5_000;
    await directory.recount();
    expect(await directory.count({})).to.equal(6);
  });

  it('ignores cached counts if the clock was set back', async () => {
    await add('e');
    await open().recount();
    await add('f');
    time -= 45_001;
    expect(await open().count({})).to.equal(6);
  });

  it('caches the counts of a recount after the clock was set back', async () => {
    await add('e');
    await open().recount();
    time -= 3_600_000;
    await open().recount();
    const filters = await mongo.filtersOf(() => open().count({}));
    expect(filters.filter((filter) => '$gt' in (filter._id ?? {}))).to.deep.equal([]);
  });

  it('lists a distant page in steps that skip no account of equal age', async () => {
    await add('e', 'f', 'g');
    const page = async (skip: number) => (await open().list({}, { skip }, 2)).map(({ id }) => id);
    expect(await page(0)).to.deep.equal(['g', 'f']);
    expect(await page(3)).to.deep.equal(['d', 'c']);
    expect(await page(6)).to.deep.equal(['a']);
    expect(await page(7)).to.deep.equal([]);
    for (const filter of await mongo.filtersOf(() => page(6))) expect(filter).not.to.have.property('$or');
  });
});
