import { expect } from 'chai';
import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import { makeSqliteDirectory } from '../../../adapters/sqlite/directory.ts';
import { makeSqlitePresences } from '../../../adapters/sqlite/presences.ts';
import { makeSqliteSessionStore } from '../../../adapters/sqlite/session-store.ts';
import { type Account, completeAccount } from '../../../core/accounts/account.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { openedStore } from './opened.ts';

accountStoreContract('SQLite', openedStore(makeSqliteAccountStore));

describe('An account in SQLite, written by an earlier version', () => {
  it('is read with the fields that it lacks', async () => {
    const { store: database, close } = await openedStore((opened) => opened)();
    const { twoFactorSetupBy, ...earlier } = sampleAccount('user');
    const accounts = makeSqliteAccountStore(database);
    await accounts.add(earlier as Account);
    await makeSqliteSessionStore(database).add(sampleSession('a'), 20);
    const whole = completeAccount(earlier);
    expect(whole).to.deep.equal(sampleAccount('user'));
    expect(await accounts.find('user')).to.deep.equal(whole);
    expect(await accounts.listByClaims(false, 10)).to.deep.equal([]);
    expect(await makeSqliteDirectory(database).list({}, { skip: 0 }, 10)).to.deep.equal([whole]);
    expect((await makeSqlitePresences(database).find('user', 'a'))?.account).to.deep.equal(whole);
    await close();
  });
});
