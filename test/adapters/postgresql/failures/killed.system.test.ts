import { expect } from 'chai';
import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { figure } from '../../../support/runner/figures.ts';
import { until } from '../../../support/until.ts';
import { postgresForTests } from '../postgres-for-tests.ts';
import { triesOf, UNAVAILABLE, usePostgres } from './database.ts';
import { startLoad } from './load.ts';

const rounds = process.env.LONG === undefined ? ROUNDS : 200;

describe('A PostgreSQL server that is killed', function () {
  this.timeout(300_000 + rounds * 60_000);
  const { server, createDatabase } = postgresForTests({ durable: true });
  const { create } = usePostgres();
  let database: PostgresDatabase;

  beforeEach(async () => {
    const url = await createDatabase();
    database = await create(url, url, 2_500);
  });

  /** Kills under load in several rounds, and then compares the rows with the acknowledged writes. */
  const killUnderLoad = async (kill: () => Promise<void>) => {
    const load = await startLoad(database, 16);
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      await load.progress(100);
      await kill();
      const startedAt = performance.now();
      await load.progress(100);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
    const { acknowledged, refusals } = await load.end();
    expect(await load.problems()).to.deep.equal([]);
    for (const refusal of refusals) expect(refusal).to.include(UNAVAILABLE);
    figure(
      `${rounds} kills, ${acknowledged} writes acknowledged, ${refusals.length} unavailable, at most ${longestMs.toFixed(0)} ms to go on`,
    );
  };

  it('neither loses nor repeats an acknowledged write', () =>
    killUnderLoad(async () => {
      await server().kill();
      await server().start();
    }));

  it('neither loses nor repeats a write if one of its processes crashes', () =>
    killUnderLoad(async () => {
      const { rows } = await server().run(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'gatehouse' AND state <> 'idle' LIMIT 1",
      );
      if (rows[0] !== undefined) process.kill(rows[0].pid, 'SIGKILL');
    }));

  it('neither loses nor repeats a write if its connections are terminated', () =>
    killUnderLoad(async () => {
      await server().run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse'",
      );
    }));

  it('is reported as down, and as up after a restart', async () => {
    const tries = triesOf(database);
    await tries.insert('a');
    await server().kill();
    expect(await tries.count('a').catch((error: unknown) => error)).to.include(UNAVAILABLE);
    expect(await tries.find('a').catch((error: unknown) => error)).to.include(UNAVAILABLE);
    expect(await database.isUp()).to.equal(false);
    await server().start();
    await until(() => database.isUp());
    expect(await tries.find('a')).to.equal(1);
  });
});
