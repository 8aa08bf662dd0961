import { expect } from 'chai';
import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import type { Statement } from '../../../adapters/sql/database.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { openDatabaseInMemory } from '../../../adapters/sqlite/database.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { recordStatements } from '../sql/record-statements.ts';
import { explain } from './plans/plans.ts';

/** More accounts than one statement skips or counts. */
const MANY = 5_060;

describe('The SQLite directory of many accounts', () => {
  const database = openDatabaseInMemory();
  const statements: Statement[] = [];
  const directory = makeSqlDirectory(recordStatements(database, (statement) => statements.push(statement)));
  const accounts = Array.from({ length: MANY }, (_, place) =>
    sampleAccount(`user${place}`, { createdAt: NOW - place }),
  );

  before(() => makeSqlAccountStore(database).addAll(accounts, async () => undefined));
  after(() => database.close());

  for (const [index, filter] of Object.entries({ listed: {}, by_tier: { tier: 'free' } }))
    it(`skips accounts in steps that read only the index: ${index}`, async () => {
      statements.length = 0;
      const page = await directory.list(filter, { skip: 5_010 }, 20);
      expect(page.map(({ id }) => id)).to.deep.equal(accounts.slice(5_010, 5_030).map(({ id }) => id));
      const plans = await Promise.all(
        statements.map(({ sql, params }) => explain(database.read, sql, params)),
      );
      expect(plans).to.have.length(3);
      expect(plans[1]?.join()).to.match(new RegExp(`USING COVERING INDEX accounts_${index}\\b`));
      expect(await directory.list(filter, { skip: MANY }, 20)).to.deep.equal([]);
    });

  it('counts accounts in steps if triggers do not keep the count', async () => {
    expect(await directory.count({ unverified: true })).to.equal(MANY);
  });
});
