import { expect } from 'chai';
import { figure } from '../runner/figures.ts';
import { type Pglite, startPglite } from './pglite.ts';

/** Milliseconds on the clock and of the processor that one call took. */
const measured = async (work: () => Promise<unknown>): Promise<readonly [number, number]> => {
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return [performance.now() - began, (user + system) / 1_000];
};

describe('PostgreSQL in the process', () => {
  let database: Pglite;

  before(async () => {
    const [clock, processor] = await measured(async () => {
      database = await startPglite();
    });
    figure(`PGlite started in ${clock.toFixed(0)} ms (${processor.toFixed(0)} ms of the processor)`);
  });

  after(() => database.close());

  it('runs statements with parameters and gives the types of the package pg', async () => {
    await database.exec('CREATE TABLE notes (id text PRIMARY KEY, count bigint, facts jsonb, bytes bytea)');
    const values = ['a', 5, { red: true }, Buffer.from([0, 255])];
    const inserted = await database.query('INSERT INTO notes VALUES ($1, $2, $3, $4)', values);
    expect(inserted).to.deep.equal({ rows: [], affectedRows: 1 });
    const { rows } = await database.query('SELECT * FROM notes WHERE id = $1', ['a']);
    expect(rows).to.deep.equal([{ id: 'a', count: '5', facts: { red: true }, bytes: Buffer.from([0, 255]) }]);
    const [clock, processor] = await measured(async () => {
      for (let made = 0; made < 200; made += 1)
        await database.query('SELECT * FROM notes WHERE id = $1', ['a']);
    });
    figure(
      `A query took ${(clock / 200).toFixed(2)} ms (${(processor / 200).toFixed(2)} ms of the processor)`,
    );
  });

  it('is empty for the next suite, also after a transaction that was left open', async () => {
    await database.exec("SET search_path = 'pg_catalog'; BEGIN; CREATE TABLE public.left_open (id text)");
    await database.close();
    const [clock] = await measured(async () => {
      database = await startPglite();
    });
    expect(clock).to.be.below(1_000);
    const { rows } = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", []);
    expect(rows).to.deep.equal([]);
    expect((await database.query('SHOW search_path', [])).rows[0]?.search_path).to.contain('public');
  });
});
