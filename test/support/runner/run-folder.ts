import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const PREFIX = 'gatehouse-run-';

/**
 * What a test of the first tier may start beside Node.js: a shell and the tools that every system has. It finds nothing
 * else, whatever programs the machine happens to have.
 */
const TOOLS = [
  ...['awk', 'bash', 'basename', 'cat', 'chmod', 'chown', 'cmp', 'cp', 'cut', 'date', 'dd', 'dirname', 'env'],
  ...['expr', 'false', 'find', 'grep', 'gzip', 'head', 'hostname', 'id', 'kill', 'ln', 'ls', 'mkdir'],
  ...['mkfifo', 'mktemp', 'mv', 'nice', 'od', 'printf', 'ps', 'pwd', 'readlink', 'rm', 'rmdir', 'sed', 'sh'],
  ...['sha256sum', 'sleep', 'sort', 'stat', 'stty', 'tail', 'tar', 'tee', 'test', 'touch', 'tr', 'true'],
  ...['uname', 'uniq', 'wc', 'xargs', 'npm', 'npx', 'script'],
];

export interface RunFolder {
  /** Where the tests keep what they write for a time, in memory if that may be and can be. */
  readonly temporary: string;
  /** Where those keep it that kill processes while they write, or are about the disk itself. */
  readonly onDisk: string;
  /** A PATH with the tools of the first tier alone. */
  makePlainPath(): string;
  remove(): void;
}

const IN_MEMORY = '/dev/shm';
/** Bytes: several times what the files of a run keep at once. */
const ROOM = 4 * 1024 ** 3;

/** Whether files can be kept in memory, programs among them: a write is then on disk at once. */
const hasMemoryFolder = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const probe = join(IN_MEMORY, `${PREFIX}${process.pid}-probe`);
    writeFileSync(probe, '', { mode: 0o700 });
    try {
      // It fails where programs may not be run.
      accessSync(probe, constants.X_OK);
      return bavail * bsize >= ROOM;
    } finally {
      rmSync(probe);
    }
  } catch {
    return false;
  }
};

/** The folder of this run in another one. */
const makeIn = (parent: string): string => {
  removeAbandoned(parent);
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
};

/** Folders for all that one run writes: in the system's temporary folder, and in memory if that may be and can be. */
export const makeRunFolder = ({ inMemory }: { readonly inMemory: boolean }): RunFolder => {
  const folder = makeIn(tmpdir());
  const inOther = inMemory && hasMemoryFolder() ? makeIn(IN_MEMORY) : undefined;
  const onDisk = join(folder, 'tmp');
  const temporary = inOther === undefined ? onDisk : join(inOther, 'tmp');
  const bin = join(folder, 'bin');
  for (const path of new Set([onDisk, temporary])) mkdirSync(path);
  return {
    temporary,
    onDisk,
    makePlainPath: () => {
      mkdirSync(bin);
      symlinkSync(process.execPath, join(bin, 'node'));
      const folders = (process.env.PATH ?? '').split(delimiter);
      for (const tool of TOOLS) {
        const path = folders.map((searched) => join(searched, tool)).find((file) => existsSync(file));
        if (path !== undefined) symlinkSync(path, join(bin, tool));
      }
      return bin;
    },
    remove: () => {
      for (const path of [folder, inOther ?? folder])
        rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Removes the folders of runs that were killed. */
const removeAbandoned = (parent: string): void => {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-', 1)[0] : NaN);
    if (!Number.isInteger(pid) || isRunning(pid)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // A disk of a test is mounted in it still, or another run removes it as well.
    }
  }
};
