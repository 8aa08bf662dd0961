import { expect } from 'chai';
import type { Document } from 'mongodb';
import { findUsage } from '../../../adapters/mongodb/audit-store.ts';
import { indexes } from '../../../adapters/mongodb/collections.ts';
import { mongoForTests } from './opened.ts';

/** The log itself, and what is there before anybody works with the store. */
const BESIDE = ['audit', 'audit_head', 'rates', 'meta'];

describe('Signs of use in MongoDB', () => {
  const database = mongoForTests().useDatabase({});

  it('are whatever any collection holds but the log itself', async () => {
    const names = Object.keys(indexes);
    expect(names).to.include.members(['accounts', 'sessions', 'leases', 'audit']);
    for (const name of [...names, ...BESIDE]) {
      const collection = database().collection<Document & { readonly _id: string }>(name);
      await collection.insertOne({ _id: 'x' });
      const firstAccount = name === 'accounts' ? 'x' : null;
      expect(await findUsage(database()), name).to.deep.equal({
        inUse: !BESIDE.includes(name),
        firstAccount,
      });
      await collection.deleteOne({ _id: 'x' });
    }
  });

  it('show the account with the least id', async () => {
    const accounts = database().collection<Document & { readonly _id: string }>('accounts');
    for (const id of ['b', 'a', 'c']) await accounts.insertOne({ _id: id });
    expect(await findUsage(database())).to.deep.equal({ inUse: true, firstAccount: 'a' });
  });
});
