import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CLAIMED, READY } from '../claim-database.ts';
import { connectTo, type PostgresqlServer } from './postgresql-server.ts';

/** As many as the files that run at once may claim in one moment. */
const READY_COUNT = 12;

/** Milliseconds between two looks at the claims. */
const INTERVAL = 50;

export interface DatabasePool {
  /** Where the tests claim databases. */
  readonly folder: string;
  end(): Promise<void>;
}

/**
 * Keeps empty databases ready for the tests of a run: making one takes a quarter of a second. Drops the databases of
 * folders that were removed: each takes 8 MB. `temporary` is where the tests make their folders.
 */
export const startDatabasePool = async (
  server: PostgresqlServer,
  temporary: string,
): Promise<DatabasePool> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-databases-'));
  const [ready, claimed] = [join(folder, READY), join(folder, CLAIMED)];
  mkdirSync(ready);
  mkdirSync(claimed);
  const client = await connectTo(server.url('postgres'));
  let made = 0;
  let isOpen = true;

  const fill = async () => {
    while (isOpen && readdirSync(ready).length < READY_COUNT) {
      made += 1;
      const name = `test_${made}`;
      await client.query(`CREATE DATABASE ${name}`);
      writeFileSync(join(ready, name), name);
    }
  };
  /** The folder of a claim may not be there yet; what it is made in, for one test or suite, is. */
  const isRemoved = (path: string): boolean => {
    const [first = '..'] = relative(temporary, path).split(sep);
    return first !== '..' && !existsSync(join(temporary, first));
  };
  const drop = async () => {
    for (const claim of readdirSync(claimed)) {
      if (!isRemoved(decodeURIComponent(claim))) continue;
      await client.query(`DROP DATABASE ${readFileSync(join(claimed, claim), 'utf8')} WITH (FORCE)`);
      rmSync(join(claimed, claim));
    }
  };
  const work = async () => {
    while (isOpen) {
      await fill();
      await drop();
      await pause(INTERVAL);
    }
  };
  // A failure ends the run: tests would wait for databases.
  const working = work();
  return {
    folder,
    end: async () => {
      isOpen = false;
      await working;
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
