import type { Database, Unit } from '../../../adapters/sql/database.ts';

/** Makes a unit that resets a database to its current rows, such as those of a new database. */
export const makeResetUnit = async ({ read }: Pick<Database, 'read'>): Promise<Unit> => {
  const tables = await read.all("SELECT name FROM sqlite_master WHERE type = 'table'", []);
  const names = tables.map(({ name }) => String(name));
  // Tables of counts come last, since triggers write to them.
  const isCounts = (name: string) => name.endsWith('_counts');
  const deletionOrder = [...names.filter((name) => !isCounts(name)), ...names.filter(isCounts)];
  const inserts: Unit[number][] = [];
  for (const name of names)
    for (const row of await read.all(`SELECT * FROM ${name}`, [])) {
      const slots = Object.keys(row).map(() => '?');
      inserts.push({ sql: `INSERT INTO ${name} VALUES (${slots.join(', ')})`, params: Object.values(row) });
    }
  return [...deletionOrder.map((name) => ({ sql: `DELETE FROM ${name}`, params: [] })), ...inserts];
};
