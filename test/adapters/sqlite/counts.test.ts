import { expect } from 'chai';
import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { makeSqlFileStore } from '../../../adapters/sql/file-store.ts';
import { makeSqlSealedFiles } from '../../../adapters/sql/sealed-files.ts';
import { sqlSections } from '../../../adapters/sql/transfer.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import { tombstoneOf } from '../../../core/accounts/account.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const TIERS = ['free', 'pro', 'enterprise'];
const KEYS = ['old', 'new', null];

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const randomBoolean = () => Math.random() < 0.5;

describe('The counts that triggers keep in SQLite', () => {
  const folder = useTempFolder();
  let database: EmbeddedDatabase;

  beforeEach(() => {
    database = openDatabase({ folder: folder() });
  });

  afterEach(() => database.close());

  const randomAccount = (id: string, version = 1) =>
    sampleAccount(id, {
      version,
      access: { tier: pick(TIERS), isPremium: randomBoolean() },
      verified: randomBoolean(),
      email: `${id}.${randomBoolean()}@example.com`,
    });

  it('match the accounts after a random history', async () => {
    const accounts = makeSqlAccountStore(database);
    for (let step = 0; step < 300; step += 1) {
      const id = `u${Math.floor(Math.random() * 20)}`;
      const account = await accounts.find(id);
      if (account === undefined) await accounts.add(randomAccount(id));
      else {
        const actions = [
          () => accounts.remove(account),
          () => accounts.save(tombstoneOf(account, NOW)),
          () => accounts.save(randomAccount(id, account.version)),
        ];
        await pick(actions)();
      }
    }
    const rows = await database.read.all(
      'SELECT tier, count(*) AS accounts, sum(premium) AS premium, sum(verified) AS verified FROM accounts WHERE email IS NOT NULL GROUP BY tier',
      [],
    );
    const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
    const stats = await makeSqlDirectory(database).stats(NOW);
    expect(stats.byTier).to.deep.equal(Object.fromEntries(rows.map((row) => [row.tier, row.accounts])));
    expect([stats.total, stats.premium, stats.verified]).to.deep.equal(
      ['accounts', 'premium', 'verified'].map(sum),
    );
  });

  it('match the files after a random history', async () => {
    const files = makeSqlFileStore(database);
    const sealed = makeSqlSealedFiles(database);
    for (let step = 0; step < 300; step += 1) {
      const number = Math.floor(Math.random() * 20);
      const { entry } = sampleFile(number);
      const actions = [
        () => files.add(sampleFile(number, { keyId: pick(KEYS), size: step * 2 ** 30 })),
        () => files.remove(fileId(number)),
        () => files.purge([fileId(number)]),
        () => sealed.replace({ id: fileId(number), entry }, { entry, bytes: 1, keyId: pick(KEYS) }),
      ];
      await pick(actions)();
    }
    const rows = await database.read.all(
      'SELECT key_id, count(*) AS files, total(size) AS bytes FROM files WHERE removed = 0 GROUP BY key_id',
      [],
    );
    const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
    expect(await files.totals()).to.deep.equal({ files: sum('files'), bytes: sum('bytes') });
    expect(await sealed.countByKey()).to.deep.equal(new Map(rows.map((row) => [row.key_id, row.files])));
  });

  it('include each record once if an import writes it repeatedly', async () => {
    const { accounts, files } = sqlSections(database);
    const record = { ...sampleFile(1), removed: false, accesses: 0, accessedAt: 0 };
    for (const tier of TIERS) {
      await accounts.write([sampleAccount('a', { access: { tier, isPremium: true } })], 0);
      await files.write([{ ...record, keyId: tier }], 0);
    }
    expect((await makeSqlDirectory(database).stats(NOW)).byTier).to.deep.equal({ enterprise: 1 });
    expect(await makeSqlSealedFiles(database).countByKey()).to.deep.equal(new Map([['enterprise', 1]]));
  });
});
