import { expect } from 'chai';
import { postgresqlDialect } from '../../../../adapters/postgresql/dialect.ts';
import { postgresForTests } from '../postgres-for-tests.ts';

describe('A session of PostgreSQL', () => {
  const { server, openStore } = postgresForTests();

  // The plan of a prepared statement does not change while an import fills the table.
  it('uses an index even if the table is empty when the statement is planned', async () => {
    const { database, close } = await openStore({ now: () => Date.now() });
    try {
      const ids = postgresqlDialect.each('?');
      const plan = await database.read.all(
        `EXPLAIN SELECT id FROM accounts WHERE id IN (SELECT value FROM ${ids})`,
        [JSON.stringify(['one', 'two'])],
      );
      const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
      expect(lines).to.contain('accounts_pkey');
      expect(lines).not.to.contain('Seq Scan');
    } finally {
      await close();
    }
  });

  it('uses the isolation level read committed even if the role has another default', async () => {
    await server().run("ALTER ROLE postgres SET default_transaction_isolation TO 'serializable'");
    const { database, close } = await openStore({ now: () => Date.now() });
    try {
      const level = "SELECT current_setting('transaction_isolation') AS level";
      expect(await database.read.get(level, [])).to.deep.equal({ level: 'read committed' });
    } finally {
      await close();
    }
  });
});
