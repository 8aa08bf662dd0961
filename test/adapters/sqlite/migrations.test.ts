import { join } from 'node:path';
import { expect } from 'chai';
import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { makeSqlFileStore } from '../../../adapters/sql/file-store.ts';
import { makeSqlSealedFiles } from '../../../adapters/sql/sealed-files.ts';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { connect } from '../../../adapters/sqlite/engine/connection.ts';
import { migrations } from '../../../adapters/sqlite/migrations.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { newEntitlement } from '../../../core/accounts/entitlement.ts';
import type { AccountStore } from '../../../core/accounts/ports.ts';
import { fileOf } from '../../contracts/sample-files.ts';
import { NOW, sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

describe('A store of an earlier version', () => {
  const folder = useTempFolder();

  /** Leaves a store of the first schema behind, with accounts as they were written then. */
  const makeOld = (accounts: readonly Account[]) => {
    const connection = connect(join(folder(), 'gatehouse.db'));
    connection.exec(`${migrations[0]}; PRAGMA user_version = 1`);
    for (const account of accounts) {
      const { formerDomains, customDomain, claimsCounted, twoFactorSetupBy, ...earlier } = account;
      const before = customDomain && {
        domain: customDomain.domain,
        token: customDomain.token,
        verified: customDomain.verified,
      };
      connection.run({
        sql: `INSERT INTO accounts (id, version, email, pending, created_at, tier, premium, verified, two_factor,
          banned_until, disabled_until, doc) VALUES (?, 1, ?, 0, 0, 'free', 0, 0, 0, 0, 0, ?)`,
        params: [account.id, account.email, JSON.stringify({ ...earlier, customDomain: before })],
      });
    }
    connection.close();
  };

  const look = async <T>(at: (store: AccountStore) => Promise<T>): Promise<T> => {
    const database = openDatabase({ folder: folder() });
    try {
      return await at(makeSqlAccountStore(database));
    } finally {
      await database.close();
    }
  };
  const read = (id: string) => look((store) => store.find(id));

  it('is brought up to date with what its accounts had no place for', async () => {
    const customDomain = { domain: 'a.dev', token: 'token', verified: true, claimedAt: NOW };
    const [plain, owner] = [sampleAccount('plain'), sampleAccount('owner', { customDomain })];
    makeOld([plain, owner]);
    expect(await read('plain')).to.deep.equal(plain);
    expect(await read('owner')).to.deep.equal(owner);
    expect(await read('owner'), 'once').to.deep.equal(owner);
  });

  it('has accounts with claims looked over, since nobody knows whether these were counted', async () => {
    const claim = { tier: 'pro', isPremium: true, at: NOW };
    const entitlement = newEntitlement('one', 'DROP', NOW);
    makeOld([
      sampleAccount('none'),
      sampleAccount('without', { entitlements: [entitlement] }),
      sampleAccount('claiming', { entitlements: [{ ...entitlement, claim }] }),
    ]);
    for (const counted of [true, false]) {
      const records = await look((store) => store.listWhere({ fact: 'claims', counted }, 10));
      expect(records.map(({ id }) => id)).to.deep.equal(['claiming']);
    }
  });

  it('has sessions that remember the token used last, and take their beginning for a proof', async () => {
    const connection = connect(join(folder(), 'gatehouse.db'));
    connection.exec(`${migrations[0]}; PRAGMA user_version = 1`);
    const olds = [
      { id: 'a', previousDigest: null, rotatedAt: null, earlierRotatedAt: null },
      { id: 'b', previousDigest: 'before', rotatedAt: NOW + 5, earlierRotatedAt: NOW },
    ];
    for (const { id, ...old } of olds) {
      const { usedTokens, tokensFrom, authenticatedAt, methods, ...earlier } = sampleSession(id);
      connection.run({
        sql: `INSERT INTO sessions (user_id, id, epoch, refresh_digest, created_at, ends_at, expires_at, doc)
          VALUES ('user', ?, 0, 'digest', ?, 0, 0, ?)`,
        params: [id, NOW, JSON.stringify({ ...earlier, ...old })],
      });
    }
    connection.close();
    const database = openDatabase({ folder: folder() });
    const records = await makeSqlSessionStore(database).list('user');
    await database.close();
    const usedTokens = [{ digest: 'before', at: NOW + 5 }];
    expect(records).to.deep.equal([
      sampleSession('b', { methods: [], usedTokens }),
      sampleSession('a', { methods: [] }),
    ]);
  });

  it('has its operators listed, and nobody who only looks like one', async () => {
    const entitlement = newEntitlement('one', 'DROP', NOW);
    const flags = {
      founder: { isOperatorTeam: true, operatorTeamRole: 'founder' },
      text: { isOperatorTeam: 'true', operatorTeamRole: 'dev' },
      guest: { isOperatorTeam: true, operatorTeamRole: 'guest' },
      nested: { more: { isOperatorTeam: true, operatorTeamRole: 'dev' } },
    };
    makeOld(
      Object.entries(flags).map(([id, accessFlags]) =>
        sampleAccount(id, { entitlements: [{ ...entitlement, accessFlags }] }),
      ),
    );
    const database = openDatabase({ folder: folder() });
    const records = await makeSqlDirectory(database).list({ operator: true }, { skip: 0 }, 10);
    await database.close();
    expect(records.map(({ id }) => id)).to.deep.equal(['founder']);
  });

  it('lists the files of a version that kept no list items, and keeps those it makes', async () => {
    const files = [1, 2].map((number) => fileOf(number));
    const database = openDatabase({ folder: folder() });
    const store = makeSqlFileStore(database);
    for (const file of files) await store.add(file);
    await database.write([{ sql: 'UPDATE files SET item = NULL', params: [] }]);
    const items = async () => (await store.list('user', null, 9)).map(({ item }) => item);
    const wanted = files.map(({ item }) => item).toReversed();
    expect(await items()).to.deep.equal(wanted);
    await until(
      async () =>
        (await database.read.get('SELECT 1 AS one FROM files WHERE item IS NULL', [])) === undefined,
    );
    expect(await items()).to.deep.equal(wanted);
    await database.close();
  });

  it('has what it holds counted', async () => {
    makeOld(['a', 'b', 'c'].map((id) => sampleAccount(id)));
    const connection = connect(join(folder(), 'gatehouse.db'));
    connection.exec(`${migrations[1]}; PRAGMA user_version = 2`);
    for (const [number, key] of ['old', 'old', null].entries()) {
      connection.run({
        sql: `INSERT INTO files (id, user_id, uploaded_at, size, bytes, key_id, entry) VALUES (?, 'a', 0, ?, 1, ?, '{}')`,
        params: [`f${number}`, Number.MAX_SAFE_INTEGER - number, key],
      });
    }
    connection.close();
    const database = openDatabase({ folder: folder() });
    const [stats, totals, byKey] = await Promise.all([
      makeSqlDirectory(database).stats(NOW),
      makeSqlFileStore(database).totals(),
      makeSqlSealedFiles(database).countByKey(),
    ]);
    await database.close();
    expect(stats).to.include({ total: 3, premium: 0 });
    expect(stats.byTier).to.deep.equal({ free: 3 });
    expect(totals).to.deep.equal({ files: 3, bytes: 3 * Number.MAX_SAFE_INTEGER - 3 });
    expect(byKey).to.deep.equal(
      new Map<string | null, number>([
        ['old', 2],
        [null, 1],
      ]),
    );
  });
});
