import { expect } from 'chai';
import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import { type Account, completeAccount } from '../../../core/accounts/account.ts';
import { sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { makeStoreOpener } from './open-store.ts';

describe('A SQLite account of an earlier version', () => {
  it('is read with default values for its missing fields', async () => {
    const { store: database, close } = await makeStoreOpener((database) => database)();
    const { twoFactorSetupBy, ...earlier } = sampleAccount('user');
    const accounts = makeSqlAccountStore(database);
    await accounts.add(earlier as Account);
    const sessions = makeSqlSessionStore(database);
    await sessions.add(sampleSession('a'), 20);
    const account = completeAccount(earlier);
    expect(account).to.deep.equal(sampleAccount('user'));
    expect(await accounts.find('user')).to.deep.equal(account);
    expect(await accounts.listWhere({ fact: 'claims', counted: false }, 10)).to.deep.equal([]);
    expect(await makeSqlDirectory(database).list({}, { skip: 0 }, 10)).to.deep.equal([account]);
    expect((await sessions.findWithAccount('user', 'a'))?.account).to.deep.equal(account);
    await close();
  });
});
