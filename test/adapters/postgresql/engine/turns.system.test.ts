import { expect } from 'chai';
import { openPostgres, type PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { upgradeSchema } from '../../../../adapters/postgresql/schema-version.ts';
import type { Row, Statement, Unit } from '../../../../adapters/sql/database.ts';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { until } from '../../../support/until.ts';
import { PATIENCE_MS } from '../failures/database.ts';
import { postgresForTests } from '../postgres-for-tests.ts';

const LAST: Statement = { sql: 'SELECT max(number) AS last FROM audit', params: [] };
const COLUMNS = '(number, entry_id, target, actor, digest, value)';
const next = async (row: Row | undefined): Promise<Unit> => {
  const number = Number(row?.last ?? 0) + 1;
  const values = [number, `entry ${number}`, 'target', 'actor', 'digest', 'value'];
  return [{ sql: `INSERT INTO audit ${COLUMNS} VALUES (?, ?, ?, ?, ?, ?)`, params: values, need: true }];
};

describe('Units of one turn in PostgreSQL', () => {
  const { createDatabase } = postgresForTests();
  let databases: readonly PostgresDatabase[];

  beforeEach(async () => {
    const url = await createDatabase();
    databases = [1, 2].map(() => openPostgres({ url, deadline: PATIENCE_MS }));
    await upgradeSchema(databases[0] as PostgresDatabase);
  });
  afterEach(() => Promise.all(databases.map((database) => database.close())));

  const writeNext = async (place: number, follow = next): Promise<boolean> =>
    (await databases[place % 2]?.writeInTurn?.('audit', LAST, follow))?.done === true;
  const count = async () => (await databases[0]?.read.get('SELECT count(*) AS rows FROM audit', []))?.rows;

  it('see the writes of earlier units, also of another process, and are all committed', async () => {
    const outcomes = await race(40, (place) => writeNext(place));
    expect(outcomes.filter(Boolean)).to.have.length(40);
    expect(await count()).to.equal(40);
  });

  it('continue after a unit whose statements could not be made, and which writes nothing', async () => {
    const broken = () => Promise.reject(new TypeError('Not this one.'));
    const [error] = await Promise.all([rejectionOf(() => writeNext(0, broken)), writeNext(0), writeNext(1)]);
    expect(error).to.be.instanceOf(TypeError);
    expect(await count()).to.equal(2);
  });

  it('continue while a unit is stuck in its turn', async () => {
    let resume: (() => void) | undefined;
    const stopping = async (row: Row | undefined): Promise<Unit> => {
      if (resume === undefined)
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      return next(row);
    };
    const stopped = Promise.allSettled([writeNext(0, stopping)]);
    await until(() => resume !== undefined);
    expect(await writeNext(1)).to.equal(true);
    resume?.();
    await stopped;
  });
});
