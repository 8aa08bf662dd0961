import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { type Connection, connectAsItIs } from '../../sqlite/connection.ts';
import { isBusy } from '../../sqlite/failures.ts';

/** Another process writes the file. */
export class ExportUnderWay extends Error {
  constructor(file: string) {
    super(`Another export into ${file} is under way: let it end, or name another file.`);
    this.name = 'ExportUnderWay';
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

/** The lock is SQLite's on an empty file, which the operating system lets go of when its holder dies, however it dies. */
const lockOn = (lockFile: string, file: string): Connection => {
  for (;;) {
    // By ourselves, for its owner alone and for an error that says what is wrong.
    closeSync(openSync(lockFile, 'a', 0o600));
    const lock = connectAsItIs(lockFile);
    try {
      const inode = inodeOf(lockFile);
      lock.exec('BEGIN EXCLUSIVE');
      // Whoever held it before may have taken the file away, and the lock is on one that nobody else can find.
      if (inode !== undefined && inode === inodeOf(lockFile)) return lock;
      lock.close();
    } catch (error) {
      lock.close();
      throw isBusy(error) ? new ExportUnderWay(file) : error;
    }
  }
};

/** Does the work on a file as the one process of the machine that does. Throws `ExportUnderWay`. */
export const alone = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  const lockFile = `${file}.lock`;
  const lock = lockOn(lockFile, file);
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
    lock.close();
  }
};
