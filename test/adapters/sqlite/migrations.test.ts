import { join } from 'node:path';
import { expect } from 'chai';
import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import { connect } from '../../../adapters/sqlite/connection.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { migrations } from '../../../adapters/sqlite/migrations.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('A store of an earlier version', () => {
  const folder = useTempFolder();

  /** Leaves a store of the first schema behind, with accounts as they were written then. */
  const makeOld = (accounts: readonly Account[]) => {
    const connection = connect(join(folder(), 'gatehouse.db'));
    connection.exec(`${migrations[0]}; PRAGMA user_version = 1`);
    for (const { formerDomains, customDomain, ...account } of accounts) {
      const before = customDomain && {
        domain: customDomain.domain,
        token: customDomain.token,
        verified: customDomain.verified,
      };
      connection.run({
        sql: `INSERT INTO accounts (id, version, email, pending, created_at, tier, premium, verified, two_factor,
          banned_until, disabled_until, doc) VALUES (?, 1, ?, 0, 0, 'free', 0, 0, 0, 0, 0, ?)`,
        params: [account.id, account.email, JSON.stringify({ ...account, customDomain: before })],
      });
    }
    connection.close();
  };

  const read = async (id: string) => {
    const database = openDatabase({ folder: folder() });
    try {
      return await makeSqliteAccountStore(database).find(id);
    } finally {
      await database.close();
    }
  };

  it('is brought up to date with what its accounts had no place for', async () => {
    const customDomain = { domain: 'a.dev', token: 'token', verified: true, claimedAt: NOW };
    const [plain, owner] = [sampleAccount('plain'), sampleAccount('owner', { customDomain })];
    makeOld([plain, owner]);
    expect(await read('plain')).to.deep.equal(plain);
    expect(await read('owner')).to.deep.equal(owner);
    expect(await read('owner'), 'once').to.deep.equal(owner);
  });
});
