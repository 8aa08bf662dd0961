import type { Database, Unit } from '../../../adapters/sql/database.ts';

/** Makes a new database of it again: deletes the rows of all tables, and inserts those that it has now. */
export const emptyingUnit = async ({ read }: Pick<Database, 'read'>): Promise<Unit> => {
  const tables = await read.all("SELECT name FROM sqlite_master WHERE type = 'table'", []);
  const names = tables.map(({ name }) => String(name));
  // The tables of counts last: triggers fill them again.
  const isCounts = (name: string) => name.endsWith('_counts');
  const inOrder = [...names.filter((name) => !isCounts(name)), ...names.filter(isCounts)];
  const filled: Unit[number][] = [];
  for (const name of names)
    for (const row of await read.all(`SELECT * FROM ${name}`, [])) {
      const places = Object.keys(row).map(() => '?');
      filled.push({ sql: `INSERT INTO ${name} VALUES (${places.join(', ')})`, params: Object.values(row) });
    }
  return [...inOrder.map((name) => ({ sql: `DELETE FROM ${name}`, params: [] })), ...filled];
};
