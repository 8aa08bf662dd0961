import { storeUnavailable } from '../../calls/store-calls.ts';
import { checkScalars, type Outcome, type Unit } from '../../sql/database.ts';
import { sqliteDialect } from '../dialect.ts';
import { runBatch } from './batch.ts';
import { connectRaw } from './connection.ts';
import type { EmbeddedDatabase } from './database-file.ts';
import { makeFairReads } from './fair-reads.ts';
import { migrate } from './migrate.ts';

/** Opens an empty database in memory, without a file and without the writer thread: each write is done at once. */
export const openMemoryDatabase = (migrations: readonly string[]): EmbeddedDatabase => {
  const connection = connectRaw(':memory:');
  migrate(connection, { migrations, upgrades: true });
  let commits = 0;
  let open = true;

  // libsql aborts the process when `inTransaction` is read on a closed connection.
  const checkOpen = () => {
    if (!open) throw storeUnavailable();
  };
  const writeNow = (unit: Unit): Outcome => {
    for (const { params } of unit) checkScalars(params);
    checkOpen();
    const batch = runBatch(connection, [unit]);
    const answer = 'answers' in batch ? batch.answers[0] : { broken: batch.failure };
    if (answer === undefined || 'broken' in answer)
      throw new Error(`A write to the store is wrong: ${answer?.broken}.`);
    commits += 1;
    return answer;
  };

  return {
    dialect: sqliteDialect,
    read: makeFairReads({
      get: (sql, params) => {
        checkScalars(params);
        checkOpen();
        return connection.get(sql, params);
      },
      all: (sql, params) => {
        checkScalars(params);
        checkOpen();
        return connection.all(sql, params);
      },
    }),
    write: async (unit) => writeNow(unit),
    writeAtStart: async (unit) => writeNow(unit),
    canWrite: async () => true,
    counts: () => ({ commits, units: commits }),
    close: async () => {
      if (open) connection.close();
      open = false;
    },
  };
};
