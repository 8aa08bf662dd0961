import { expect } from 'chai';
import type { Document } from 'mongodb';
import { findUsage } from '../../../adapters/mongodb/audit-store.ts';
import { indexes } from '../../../adapters/mongodb/collections.ts';
import { mongoForTests } from './mongo-for-tests.ts';

/** The audit log, and collections that are filled before the first use. */
const NO_SIGN = ['audit', 'audit_head', 'rates', 'meta'];

describe('Signs of use in MongoDB', () => {
  const database = mongoForTests().useDatabase({});

  it('are the documents of all collections but the audit log, the rates and the layout', async () => {
    const names = Object.keys(indexes);
    expect(names).to.include.members(['accounts', 'sessions', 'leases', 'audit']);
    for (const name of [...names, ...NO_SIGN]) {
      const collection = database().collection<Document & { readonly _id: string }>(name);
      await collection.insertOne({ _id: 'x' });
      const firstAccount = name === 'accounts' ? 'x' : null;
      expect(await findUsage(database()), name).to.deep.equal({
        inUse: !NO_SIGN.includes(name),
        firstAccount,
      });
      await collection.deleteOne({ _id: 'x' });
    }
  });

  it('include the account with the lowest id', async () => {
    const accounts = database().collection<Document & { readonly _id: string }>('accounts');
    for (const id of ['b', 'a', 'c']) await accounts.insertOne({ _id: id });
    expect(await findUsage(database())).to.deep.equal({ inUse: true, firstAccount: 'a' });
  });
});
