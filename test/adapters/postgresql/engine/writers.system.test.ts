import { expect } from 'chai';
import type { Client } from 'pg';
import { openPostgres } from '../../../../adapters/postgresql/engine/database.ts';
import { preparedText } from '../../../../adapters/postgresql/engine/statements.ts';
import { FENCE, NOTE, REMOVE_UNUSED } from '../../../../adapters/postgresql/engine/writers.ts';
import { upgradeSchema } from '../../../../adapters/postgresql/schema-version.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { connectTo } from '../../../support/servers/postgresql-server.ts';
import { postgresForTests } from '../postgres-for-tests.ts';

const NOT_NULL_VIOLATION = '23502';

describe('The row of a writer in PostgreSQL', () => {
  const { createDatabase } = postgresForTests();
  let client: Client;

  before(async () => {
    const url = await createDatabase();
    const database = openPostgres({ url });
    await upgradeSchema(database);
    await database.close();
    client = await connectTo(url);
  });

  after(() => client?.end());
  beforeEach(() => client.query('DELETE FROM gatehouse.writers'));

  const run = (sql: string, params: readonly unknown[]) => client.query(preparedText(sql).text, [...params]);
  const note = (number: number) => run(NOTE, ['writer', number]);
  const fence = async (number: number) => Number((await run(FENCE, ['writer', number])).rows[0]?.number);
  const expectRefusal = async (number: number) =>
    expect(await rejectionOf(() => note(number))).to.include({ code: NOT_NULL_VIOLATION });

  it('returns the last unit, and refuses units up to its fence, also before the first unit', async () => {
    expect(await fence(1)).to.equal(0);
    await expectRefusal(1);
    await note(2);
    expect(await fence(3)).to.equal(2);
    await expectRefusal(3);
    await note(4);
    expect(await fence(4)).to.equal(4);
  });

  it('refuses fenced and noted units again after a lower fence that arrives late', async () => {
    await note(5);
    expect(await fence(6)).to.equal(5);
    await note(7);
    expect(await fence(8)).to.equal(7);
    await note(9);
    expect(await fence(6)).to.equal(9);
    await expectRefusal(8);
    await expectRefusal(9);
    expect(await fence(9)).to.equal(9);
  });

  it('is not removed as unused after a new fence', async () => {
    await note(5);
    await client.query("UPDATE gatehouse.writers SET used_at = now() - interval '25 hours'");
    await fence(6);
    await run(REMOVE_UNUSED, []);
    await expectRefusal(6);
  });
});
