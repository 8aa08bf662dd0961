import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a pool's folder: a file for each database, which holds its name. */
export const READY = 'ready';
export const CLAIMED = 'claimed';

/** Milliseconds. Tests of one moment may have claimed all that there were. */
const [INTERVAL, LONGEST] = [10, 60_000];

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
 * The database of whatever works on this folder, from the pool of the run (`servers/database-pool.ts`). At once, as the
 * settings of a test are made: over files, since no server is asked without waiting.
 */
export const claimDatabase = (pool: string, folder: string): string => {
  const claim = join(pool, CLAIMED, encodeURIComponent(folder));
  for (let waited = 0; waited < LONGEST; waited += INTERVAL) {
    const name = nameIn(claim);
    if (name !== undefined) return name;
    for (const file of readdirSync(join(pool, READY)).toSorted())
      try {
        // Of several processes one moves the file.
        renameSync(join(pool, READY, file), claim);
        return nameIn(claim) ?? file;
      } catch {
        // Another process has it.
      }
    pause(INTERVAL);
  }
  throw new Error('No database became ready.');
};
