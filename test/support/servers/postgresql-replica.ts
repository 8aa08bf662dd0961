import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';
import { copyRunningData } from './postgresql-data.ts';
import { connectTo, type PostgresqlServer, startOn } from './postgresql-server.ts';

export interface PostgresqlReplica extends PostgresqlServer {
  /** Waits until the replica has all commits that its primary had before the call. */
  catchUp(): Promise<void>;
  /** Makes the replica a primary, which accepts writes, and waits until it is. */
  promote(): Promise<void>;
}

/**
 * Copies the data of the running primary for a standby. By SQL, because not every package of PostgreSQL has programs such as
 * `pg_basebackup`.
 */
const copyPrimary = async (primary: PostgresqlServer, folder: string): Promise<void> => {
  const client = await connectTo(primary.url('postgres'));
  try {
    await client.query("SELECT pg_backup_start('replica', fast => true)");
    copyRunningData(primary.folder, folder);
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()');
    writeFileSync(join(folder, 'backup_label'), rows[0].labelfile);
    writeFileSync(join(folder, 'standby.signal'), '');
  } finally {
    await client.end();
  }
};

/**
 * Starts a replica of a server of this process, with data of its own. From then on each commit on the primary waits for the
 * replica.
 */
export const startReplica = async (primary: PostgresqlServer): Promise<PostgresqlReplica> => {
  const slot = `replica_${process.hrtime.bigint()}`;
  // The slot makes the primary retain the log that the replica has not read yet.
  await primary.run(`SELECT pg_create_physical_replication_slot('${slot}', true)`);
  const replica = await startOn({
    program: primary.program,
    settings: {
      ...primary.settings(),
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres application_name=${slot}`,
      primary_slot_name: slot,
    },
    fill: (folder) => copyPrimary(primary, folder),
  });
  const isStreaming = async (state: string) => {
    const { rows } = await primary.run(
      `SELECT 1 FROM pg_stat_replication WHERE application_name = '${slot}' AND sync_state = '${state}'`,
    );
    return rows.length > 0;
  };
  await until(() => isStreaming('async'));
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '${slot}'`);
  await primary.run('ALTER SYSTEM SET synchronous_commit = on');
  await primary.run('SELECT pg_reload_conf()');
  await until(() => isStreaming('sync'));
  return {
    ...replica,
    catchUp: async () => {
      const { rows } = await primary.run('SELECT pg_current_wal_insert_lsn() AS position');
      const position = rows[0].position;
      await until(async () => {
        const { rows } = await replica.run(`SELECT pg_last_wal_replay_lsn() >= '${position}' AS there`);
        return rows[0].there;
      });
    },
    promote: async () => {
      await replica.run('SELECT pg_promote(wait => true)');
    },
  };
};
