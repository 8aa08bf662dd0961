import { createReadStream } from 'node:fs';
import { BrokenArchive } from '../files/tar.ts';
import { connectRaw } from '../sqlite/engine/connection.ts';

/** Checksums that are read at once. */
const PAGE = 1_000;

const lineOf = (name: string, sum: string): string => `${sum}  ${name}\n`;

/** The SHA-256 of a backup's files by name, kept in a new file: there is one for each object, too many for memory. */
export const makeChecksums = (file: string) => {
  const database = connectRaw(file);
  // The file is for this process alone, which removes it at its end: it needs no journal, and the transaction is never committed.
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE sums (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sum TEXT NOT NULL);
    BEGIN;
  `);
  let bytes = 0;
  return {
    has: (name: string): boolean =>
      database.get('SELECT 1 AS one FROM sums WHERE name = ?', [name]) !== undefined,
    add: (name: string, sum: string): void => {
      database.run({ sql: 'INSERT INTO sums (name, sum) VALUES (?, ?)', params: [name, sum] });
      bytes += Buffer.byteLength(lineOf(name, sum));
    },
    /** Removes the checksum of a file; false if the file has another checksum, or none. */
    take: (name: string, sum: string): boolean =>
      database.run({ sql: 'DELETE FROM sums WHERE name = ? AND sum = ?', params: [name, sum] }).changes === 1,
    isEmpty: (): boolean => database.get('SELECT 1 AS one FROM sums LIMIT 1', []) === undefined,
    /** The number of bytes of the list of all additions. */
    bytes: (): number => bytes,
    /** The list for `sha256sum -c`, in the order of the additions and in parts. */
    *list(): Generator<Uint8Array> {
      for (let place = 0; ; ) {
        const page = 'SELECT place, name, sum FROM sums WHERE place > ? ORDER BY place LIMIT ?';
        const rows = database.all(page, [place, PAGE]);
        if (rows.length === 0) return;
        yield Buffer.from(rows.map(({ name, sum }) => lineOf(String(name), String(sum))).join(''));
        place = Number(rows.at(-1)?.place);
      }
    },
    close: (): void => database.close(),
  };
};

/** No line is longer: a checksum and a name in a backup take less. */
const MOST_LINE_CHARACTERS = 1_024;

/** Reads a list of checksums, in parts. Throws `BrokenArchive`. */
export async function* readChecksums(
  file: string,
): AsyncGenerator<{ readonly name: string; readonly sum: string }> {
  let rest = '';
  for await (const part of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of [...lines, rest])
      if (line.length > MOST_LINE_CHARACTERS)
        throw new BrokenArchive('its list of checksums has a line that is too long');
    for (const line of lines) {
      const [sum = '', name = ''] = line.split('  ');
      yield { name, sum };
    }
  }
  if (rest !== '') throw new BrokenArchive('its list of checksums is cut off');
}
