/**
 * The schema of the embedded cache. Raise `FORMAT` with every change: a file with another format, or of another boot of the
 * machine (`boot`), is deleted and created anew. A removal leaves a tombstone: until that ends, only its owner (`mark`) may
 * store the entry.
 */
export const FORMAT = 2;

export const cacheSchema = `
  CREATE TABLE about (format INTEGER NOT NULL, boot TEXT NOT NULL) STRICT;

  -- Numbered, so that new rows are appended; only their small keys are inserted all over the file.
  CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    epoch INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  -- A covering index for the statistics.
  CREATE INDEX entries_ending ON entries (ends_at, epoch, bytes);

  CREATE TABLE tombstones (
    id TEXT PRIMARY KEY,
    ends_at INTEGER NOT NULL,
    mark TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tombstones_ending ON tombstones (ends_at);
`;

export const ABOUT = 'SELECT format, boot, user_version AS version FROM about, pragma_user_version';

/** An entry is live if it has the generation ?2 (column `epoch`) and expires after the time ?3. */
const LIVE = 'epoch = ?2 AND ends_at > ?3';

export const FIND_ALL = `
  SELECT id, entry FROM entries
  WHERE id IN (SELECT value FROM json_each(?1)) AND ${LIVE}`;

// ?1 holds ids with their entries, which expire at ?4; the write began at ?3. A live entry in the table keeps its content, which
// is never older than the new one. Its row is updated only if ?5 is 1, to extend its life; any other row is replaced.
// `bytes` includes the key `meta:<id>`, under which other caches store the entry, so that all report the same sizes.
export const PUT = `
  INSERT INTO entries (id, epoch, ends_at, bytes, entry)
  SELECT value ->> 0, ?2, ?4, octet_length('meta:' || (value ->> 0)) + octet_length(value ->> 1), value ->> 1
  FROM json_each(?1)
  WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE id = value ->> 0 AND ends_at > ?3)
  ON CONFLICT (id) DO UPDATE SET
    epoch = ?2,
    ends_at = iif(${LIVE}, max(ends_at, ?4), ?4),
    bytes = iif(${LIVE}, bytes, excluded.bytes),
    entry = iif(${LIVE}, entry, excluded.entry)
  WHERE ?5 OR NOT (${LIVE})`;

/** Deletes live entries only, for their number is reported. */
export const FORGET = `DELETE FROM entries WHERE id IN (SELECT value FROM json_each(?1)) AND ${LIVE}`;

export const REMOVE = 'DELETE FROM entries WHERE id IN (SELECT value FROM json_each(?1))';
// ?2 is the end of the tombstones, ?3 their owner. In BURY and RENEW, SQLite needs `WHERE true`: it would take ON CONFLICT for
// the condition of a join.
export const BURY = `
  INSERT INTO tombstones (id, ends_at, mark) SELECT value, ?2, ?3 FROM json_each(?1) WHERE true
  ON CONFLICT (id) DO UPDATE SET ends_at = max(ends_at, ?2), mark = ?3`;

// ?1 holds ids with their entries, which expire at ?4; ?2 is the generation, ?3 the time, ?5 the tombstone owner.
export const RENEW = `
  INSERT INTO entries (id, epoch, ends_at, bytes, entry)
  SELECT value ->> 0, ?2, ?4, octet_length('meta:' || (value ->> 0)) + octet_length(value ->> 1), value ->> 1
  FROM json_each(?1) JOIN tombstones ON tombstones.id = value ->> 0 AND tombstones.ends_at > ?3 AND mark = ?5
  WHERE true
  ON CONFLICT (id) DO UPDATE SET epoch = ?2, ends_at = ?4, bytes = excluded.bytes, entry = excluded.entry`;
// Ends the tombstones of the owner ?3 now (?2). Their rows stay, and still reject a write that began before: PUT compares the
// time at which a write began with `ends_at`.
export const LIFT = `
  UPDATE tombstones SET ends_at = ?2
  WHERE id IN (SELECT value ->> 0 FROM json_each(?1)) AND ends_at > ?2 AND mark = ?3`;

export const STATS = `
  SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM entries WHERE ends_at > ?1 AND epoch = ?2`;

// The cache is cleared in steps: first the number of its last entry is read, then each step deletes the first entries up
// to that number and counts those that were live.
export const LAST = 'SELECT coalesce(max(number), 0) AS last FROM entries';
// The first ?4 entries up to the number ?1.
const FIRST = 'FROM entries WHERE number <= ?1 ORDER BY number LIMIT ?4';
export const COUNT_FIRST = `SELECT count(*) AS live FROM (SELECT epoch, ends_at ${FIRST}) WHERE ${LIVE}`;
export const DROP_FIRST = `
  DELETE FROM entries WHERE number IN (
    SELECT number FROM entries WHERE number <= ?1 ORDER BY number LIMIT ?2
  )`;

// Deletes at most ?3 entries that expired by ?1. If more than ?2 bytes of the file are in use, it deletes the entries that
// expire first.
export const SWEEP = `
  DELETE FROM entries WHERE number IN (
    SELECT number FROM entries
    WHERE ends_at <= iif(
      (SELECT (pages.page_count - free.freelist_count) * size.page_size > ?2
        FROM pragma_page_count AS pages, pragma_freelist_count AS free, pragma_page_size AS size),
      9e18,
      ?1
    )
    ORDER BY ends_at LIMIT ?3
  )`;
export const SWEEP_TOMBSTONES = `
  DELETE FROM tombstones WHERE id IN (SELECT id FROM tombstones WHERE ends_at <= ? ORDER BY ends_at LIMIT ?)`;
