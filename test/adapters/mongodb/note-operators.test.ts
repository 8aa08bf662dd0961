import { expect } from 'chai';
import { makeMongoAccountStore } from '../../../adapters/mongodb/account-store.ts';
import { makeMongoDirectory } from '../../../adapters/mongodb/directory.ts';
import { ACCOUNTS, type AccountDocument } from '../../../adapters/mongodb/documents/account-document.ts';
import { noteOperators } from '../../../adapters/mongodb/layout-version.ts';
import { newEntitlement } from '../../../core/accounts/entitlement.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { indexesOf, mongoForTests } from './mongo-for-tests.ts';

const flags = {
  founder: { isOperatorTeam: true, operatorTeamRole: 'founder' },
  nested: { more: { isOperatorTeam: true, operatorTeamRole: 'dev' } },
  plain: {},
};

describe('Operators in a MongoDB store of an earlier version', () => {
  const opened = mongoForTests().useDatabase(indexesOf('accounts', 'emails'));

  it('are marked once, and no other account is marked', async () => {
    const database = opened();
    const accounts = makeMongoAccountStore(database);
    for (const [id, accessFlags] of Object.entries(flags)) {
      const entitlements = [{ ...newEntitlement('one', 'DROP', NOW), accessFlags }];
      await accounts.add(sampleAccount(id, { entitlements }));
    }
    const documents = database.collection<AccountDocument>(ACCOUNTS);
    await documents.updateMany({}, { $unset: { isOperator: '' } });
    const operators = async () =>
      (await makeMongoDirectory(database, { now: () => NOW }).list({ operator: true }, { skip: 0 }, 10)).map(
        ({ id }) => id,
      );
    expect(await operators()).to.deep.equal([]);
    await noteOperators(database);
    expect(await operators()).to.deep.equal(['founder']);
    const before = await documents.find({}).toArray();
    await noteOperators(database);
    expect(await documents.find({}).toArray()).to.deep.equal(before);
  });
});
