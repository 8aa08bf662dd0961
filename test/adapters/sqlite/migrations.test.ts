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

describe('A SQLite store of an earlier version', () => {
  const folder = useTempFolder();

  /** Creates a store of the first schema, with accounts in the format of that version. */
  const makeOldStore = (accounts: readonly Account[]) => {
    const connection = connect(join(folder(), 'gatehouse.db'));
    connection.exec(`${migrations[0]}; PRAGMA user_version = 1`);
    for (const account of accounts) {
      const { formerDomains, customDomain, claimsCounted, twoFactorSetupBy, ...earlier } = account;
      const oldDomain = customDomain && {
        domain: customDomain.domain,
        token: customDomain.token,
        verified: customDomain.verified,
      };
      connection.run({
        sql: `INSERT INTO accounts (id, version, email, pending, created_at, tier, premium, verified, two_factor,
          banned_until, disabled_until, doc) VALUES (?, 1, ?, 0, 0, 'free', 0, 0, 0, 0, 0, ?)`,
        params: [account.id, account.email, JSON.stringify({ ...earlier, customDomain: oldDomain })],
      });
    }
    connection.close();
  };

  const useStore = async <T>(work: (store: AccountStore) => Promise<T>): Promise<T> => {
    const database = openDatabase({ folder: folder() });
    try {
      return await work(makeSqlAccountStore(database));
    } finally {
      await database.close();
    }
  };
  const read = (id: string) => useStore((store) => store.find(id));

  it('is upgraded, with default values for the missing fields of its accounts', async () => {
    const customDomain = { domain: 'a.dev', token: 'token', verified: true, claimedAt: NOW };
    const [plain, owner] = [sampleAccount('plain'), sampleAccount('owner', { customDomain })];
    makeOldStore([plain, owner]);
    expect(await read('plain')).to.deep.equal(plain);
    expect(await read('owner')).to.deep.equal(owner);
    expect(await read('owner'), 'after another start').to.deep.equal(owner);
  });

  it('lists accounts with claims both as counted and as uncounted', async () => {
    const claim = { tier: 'pro', isPremium: true, at: NOW };
    const entitlement = newEntitlement('one', 'DROP', NOW);
    makeOldStore([
      sampleAccount('none'),
      sampleAccount('without', { entitlements: [entitlement] }),
      sampleAccount('claiming', { entitlements: [{ ...entitlement, claim }] }),
    ]);
    for (const counted of [true, false]) {
      const records = await useStore((store) => store.listWhere({ fact: 'claims', counted }, 10));
      expect(records.map(({ id }) => id)).to.deep.equal(['claiming']);
    }
  });

  it('reads sessions with their last used token, and with their start as authentication time', async () => {
    const connection = connect(join(folder(), 'gatehouse.db'));
    connection.exec(`${migrations[0]}; PRAGMA user_version = 1`);
    const oldSessions = [
      { id: 'a', previousDigest: null, rotatedAt: null, earlierRotatedAt: null },
      { id: 'b', previousDigest: 'before', rotatedAt: NOW + 5, earlierRotatedAt: NOW },
    ];
    for (const { id, ...old } of oldSessions) {
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

  it('lists its operators, and no account with similar flags', async () => {
    const entitlement = newEntitlement('one', 'DROP', NOW);
    const flags = {
      founder: { isOperatorTeam: true, operatorTeamRole: 'founder' },
      text: { isOperatorTeam: 'true', operatorTeamRole: 'dev' },
      guest: { isOperatorTeam: true, operatorTeamRole: 'guest' },
      nested: { more: { isOperatorTeam: true, operatorTeamRole: 'dev' } },
    };
    makeOldStore(
      Object.entries(flags).map(([id, accessFlags]) =>
        sampleAccount(id, { entitlements: [{ ...entitlement, accessFlags }] }),
      ),
    );
    const database = openDatabase({ folder: folder() });
    const records = await makeSqlDirectory(database).list({ operator: true }, { skip: 0 }, 10);
    await database.close();
    expect(records.map(({ id }) => id)).to.deep.equal(['founder']);
  });

  it('lists files without list items, and stores their new items', async () => {
    const files = [1, 2].map((number) => fileOf(number));
    const database = openDatabase({ folder: folder() });
    const store = makeSqlFileStore(database);
    for (const file of files) await store.add(file);
    await database.write([{ sql: 'UPDATE files SET item = NULL', params: [] }]);
    const items = async () => (await store.list('user', null, 9)).map(({ item }) => item);
    const expected = files.map(({ item }) => item).toReversed();
    expect(await items()).to.deep.equal(expected);
    await until(
      async () =>
        (await database.read.get('SELECT 1 AS one FROM files WHERE item IS NULL', [])) === undefined,
    );
    expect(await items()).to.deep.equal(expected);
    await database.close();
  });

  it('counts its accounts and files', async () => {
    makeOldStore(['a', 'b', 'c'].map((id) => sampleAccount(id)));
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
