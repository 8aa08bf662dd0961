import { latestEnd, latestEndAt } from '../../core/lease-tolerance.ts';
import type { Clock, LeaseStatus, Leases } from '../../core/ports.ts';
import { type Database, integer, type Row, rowOf, text } from './database.ts';

// ?1 is the name, ?2 the holder, ?3 the time, ?4 the end, ?5 the latest end that another holder's lease may have: one that ends
// later was written before the clock was set back, and counts as free.
const TAKE = `
  INSERT INTO leases (name, holder, fence, ends_at) VALUES (?1, ?2, 1, ?4)
  ON CONFLICT (name) DO UPDATE SET
    holder = ?2,
    fence = CASE WHEN leases.holder = ?2 AND leases.ends_at > ?3 THEN leases.fence ELSE leases.fence + 1 END,
    ends_at = ?4
  WHERE leases.holder = ?2 OR leases.holder IS NULL OR leases.ends_at <= ?3 OR leases.ends_at > ?5
  RETURNING fence`;
// The row stays, since the next holder's fence counts on from it.
const RELEASE = 'UPDATE leases SET holder = NULL WHERE name = ? AND holder = ?';
const NOTE_SUCCESS = 'UPDATE leases SET last_success_at = ? WHERE name = ?';
const LIST = `
  SELECT name, CASE WHEN ends_at > ? AND ends_at <= ? THEN holder END AS held_by, last_success_at
  FROM leases ORDER BY name`;

/** Leases between the processes that share the database. */
export const makeSqlLeases = ({ read, write }: Pick<Database, 'read' | 'write'>, clock: Clock): Leases => ({
  take: async (name, holder, milliseconds) => {
    const now = clock.now();
    const end = integer(now) + integer(milliseconds);
    const params = [text(name), text(holder), now, end, latestEnd(end)];
    const row = rowOf(await write([{ sql: TAKE, params }]));
    return row && { name, fence: Number(row.fence) };
  },
  release: async (name, holder) => {
    await write([{ sql: RELEASE, params: [text(name), text(holder)] }]);
  },
  noteSuccess: async (name) => {
    await write([{ sql: NOTE_SUCCESS, params: [integer(clock.now()), text(name)] }]);
  },
  list: async () => {
    const now = integer(clock.now());
    return (await read.all(LIST, [now, latestEndAt(now)])).map(statusOf);
  },
});

const statusOf = ({ name, held_by, last_success_at }: Row): LeaseStatus => ({
  name: String(name),
  heldBy: typeof held_by === 'string' ? held_by : null,
  lastSuccessAt: typeof last_success_at === 'number' ? last_success_at : null,
});
