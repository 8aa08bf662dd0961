import { runBatch } from '../../../../adapters/sqlite/engine/batch.ts';
import { connectRaw } from '../../../../adapters/sqlite/engine/connection.ts';
import { migrate } from '../../../../adapters/sqlite/engine/migration.ts';
import type { Database, Outcome, Statement, Unit } from '../../../../adapters/sqlite/engine/statements.ts';
import { migrations } from '../../../../adapters/sqlite/migrations.ts';

/** The embedded store's schema without file and thread; `note` is told of each statement. */
export const openInMemory = (note: (statement: Statement) => void = () => undefined): Database => {
  const connection = connectRaw(':memory:');
  connection.exec('PRAGMA recursive_triggers = ON');
  migrate(connection, { migrations, upgrades: true });

  const writeNow = (unit: Unit): Outcome => {
    unit.forEach(note);
    const answer = runBatch(connection, [unit]);
    const unitAnswer = 'answers' in answer ? answer.answers[0] : undefined;
    if (unitAnswer === undefined || 'broken' in unitAnswer) throw new Error('A write to the store is wrong.');
    return unitAnswer;
  };

  return {
    read: {
      get: (sql, params) => {
        note({ sql, params });
        return connection.get(sql, params);
      },
      all: (sql, params) => {
        note({ sql, params });
        return connection.all(sql, params);
      },
    },
    write: async (unit) => writeNow(unit),
    writeNow,
    canWrite: async () => true,
    counts: () => ({ commits: 0, units: 0 }),
    close: async () => connection.close(),
  };
};
