/** A program: opens a store, and then does tasks with its audit log. Answers each with the rate. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { connect } from '../../../adapters/sqlite/engine/connection.ts';
import { unawaited } from '../../support/unawaited.ts';
import type { AuditJob, AuditRate, AuditTask } from '../audit.ts';
import { SETTINGS } from '../server.ts';

type Insert = (json: string) => Promise<unknown>;

const BATCH = 256;
const BY = { actor: 'operator:cli' };
const SQLITE_TABLE = `
  CREATE TABLE rows (number INTEGER PRIMARY KEY, entry_id TEXT NOT NULL UNIQUE, target TEXT NOT NULL, actor TEXT NOT NULL,
    content TEXT, salt TEXT, digest TEXT NOT NULL, value TEXT NOT NULL) STRICT;
  CREATE INDEX rows_target ON rows (target);
  CREATE INDEX rows_actor ON rows (actor)`;
const MEMBERS = ['number', 'entry_id', 'target', 'actor', 'content', 'salt', 'digest', 'value'];
const SQLITE_INSERT = `
  INSERT INTO rows SELECT ${MEMBERS.map((member) => `value ->> '${member}'`).join(', ')} FROM json_each(?)`;
const POSTGRES_INSERT = {
  name: 'insert',
  text: 'INSERT INTO rows SELECT * FROM json_populate_recordset(CAST(NULL AS rows), CAST($1 AS json))',
};

const openBare = async ({ folder, url }: AuditJob): Promise<Insert> => {
  if (url === undefined) {
    const connection = connect(join(folder, 'bare.db'));
    connection.exec(SQLITE_TABLE);
    return async (json) => connection.run({ sql: SQLITE_INSERT, params: [json] });
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CREATE TABLE rows (LIKE gatehouse.audit INCLUDING ALL)');
  return (json) => client.query({ ...POSTGRES_INSERT, values: [json] });
};

/** A row as long as those of the core. */
const rowOf = (number: number, target: string) => ({
  number,
  entry_id: randomUUID(),
  target,
  actor: BY.actor,
  content: 'content '.repeat(35),
  salt: 's'.repeat(22),
  digest: 'd'.repeat(43),
  value: 'v'.repeat(43),
});

/** Repeats the work until the time is over, `inFlight` at a time, and returns the number of rows. */
const during = async ({ seconds, inFlight }: AuditTask, work: () => Promise<number>): Promise<number> => {
  const end = performance.now() + seconds * 1_000;
  let rows = 0;
  const caller = async () => {
    while (performance.now() < end) {
      const done = await work();
      rows += done;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return rows;
};

process.once(
  'message',
  unawaited(async (job: AuditJob) => {
    const env = { ...SETTINGS, ...job.settings, LOG_LEVEL: 'error', DATA_DIR: job.folder };
    const { accounts } = await compose(readConfig(env, job.folder));
    await accounts.open();
    const { record, verifyAudit } = accounts.operate;

    const append = async () => {
      await record('bench.row', randomUUID(), { reason: 'as long as that of most changes' }, BY);
      return 1;
    };
    const insertInto = (insert: Insert) => {
      let number = 0;
      return async () => {
        const rows = Array.from({ length: BATCH }, () => rowOf(++number, randomUUID()));
        await insert(JSON.stringify(rows));
        return BATCH;
      };
    };
    const verify = async () => {
      const { intact, rows } = await verifyAudit();
      if (!intact) throw new Error('The audit log is broken.');
      return rows;
    };
    const tasks: Readonly<Record<AuditTask['work'], (task: AuditTask) => Promise<number>>> = {
      append: (task) => during(task, append),
      insert: async (task) => during({ ...task, inFlight: 1 }, insertInto(await openBare(job))),
      verify,
    };

    process.on(
      'message',
      unawaited(async (task: AuditTask) => {
        const startedAt = performance.now();
        const before = process.cpuUsage();
        const rows = await tasks[task.work](task);
        const { user, system } = process.cpuUsage(before);
        const perSecond = rows / ((performance.now() - startedAt) / 1_000);
        process.send?.({ perSecond, cpu: (user + system) / rows, rows } satisfies AuditRate);
      }),
    );
    process.send?.({ perSecond: 0, cpu: 0, rows: 0 } satisfies AuditRate);
  }),
);
