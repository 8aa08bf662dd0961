import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { until } from '../../../support/until.ts';
import { triesOf } from './database.ts';

/** Writers that each increment a row, by conditional and unconditional changes in turn. */
export interface Load {
  /** Waits for so many further acknowledged writes. */
  progress(writes: number): Promise<void>;
  /** Ends the writers; `acknowledged` writes were reported as done. */
  end(): Promise<{ readonly acknowledged: number; readonly refusals: readonly unknown[] }>;
  /** Compares the rows with the acknowledged writes, after the end. */
  problems(): Promise<readonly string[]>;
}

/** A row of one writer. After a refused call, which may still take effect, the writer starts another row. */
interface WrittenRow {
  readonly key: string;
  acknowledged: number;
  wasRefused: boolean;
}

export const startLoad = async (database: PostgresDatabase, writers: number): Promise<Load> => {
  const tries = triesOf(database);
  const rows: WrittenRow[] = [];
  const refusals: unknown[] = [];
  const problems: string[] = [];
  let isOn = true;

  const writeOnce = ({ key, acknowledged }: WrittenRow): Promise<number> => {
    if (acknowledged === 0) return tries.insert(key);
    return acknowledged % 2 === 0 ? tries.count(key) : tries.change(key, acknowledged, acknowledged + 1);
  };
  const writeRow = async (row: WrittenRow) => {
    while (isOn && !row.wasRefused) {
      try {
        const changes = await writeOnce(row);
        if (changes !== 1) problems.push(`${row.key}: ${changes} changes at ${row.acknowledged}`);
        row.acknowledged += 1;
      } catch (error) {
        refusals.push(error);
        row.wasRefused = true;
      }
    }
  };
  const work = async () => {
    while (isOn) {
      const row = { key: `row ${rows.length}`, acknowledged: 0, wasRefused: false };
      rows.push(row);
      await writeRow(row);
    }
  };
  const working = Array.from({ length: writers }, work);
  const count = () => rows.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

  return {
    progress: async (writes) => {
      const target = count() + writes;
      await until(() => count() >= target);
    },
    end: async () => {
      isOn = false;
      await Promise.all(working);
      return { acknowledged: count(), refusals };
    },
    problems: async () => {
      for (const { key, acknowledged, wasRefused } of rows) {
        const count = Number((await tries.find(key)) ?? 0);
        if (count !== acknowledged && !(wasRefused && count === acknowledged + 1))
          problems.push(`${key}: ${count} in place of ${acknowledged}`);
      }
      return problems;
    },
  };
};
