import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of a pool. Each has a file for each database, with the database's name. */
export const READY = 'ready';
export const CLAIMED = 'claimed';

/** Tests wait for a database while others have claimed all of them. */
const [INTERVAL_MS, LONGEST_MS] = [10, 60_000];

const nameIn = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/**
 * The database for this folder, from the pool of the run (`servers/database-pool.ts`). Tests make their settings
 * synchronously, so the pool works by files: a database server could only be asked asynchronously.
 */
export const claimDatabase = (pool: string, folder: string): string => {
  const claim = join(pool, CLAIMED, encodeURIComponent(folder));
  for (let waitedMs = 0; waitedMs < LONGEST_MS; waitedMs += INTERVAL_MS) {
    const name = nameIn(claim);
    if (name !== undefined) return name;
    for (const file of readdirSync(join(pool, READY)).toSorted())
      try {
        // Only one of several processes can move the file.
        renameSync(join(pool, READY, file), claim);
        return nameIn(claim) ?? file;
      } catch {
        // Another process has moved the file.
      }
    pause(INTERVAL_MS);
  }
  throw new Error('No database became ready.');
};
