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
 * The programs that tests of the first tier may start beside Node.js: a shell and the tools of every system. Their PATH has
 * no other programs of the machine.
 */
const TOOLS = [
  ...['awk', 'bash', 'basename', 'cat', 'chmod', 'chown', 'cmp', 'cp', 'cut', 'date', 'dd', 'dirname', 'env'],
  ...['expr', 'false', 'find', 'grep', 'gzip', 'head', 'hostname', 'id', 'kill', 'ln', 'ls', 'mkdir'],
  ...['mkfifo', 'mktemp', 'mv', 'nice', 'od', 'printf', 'ps', 'pwd', 'readlink', 'rm', 'rmdir', 'sed', 'sh'],
  ...['sha256sum', 'sleep', 'sort', 'stat', 'stty', 'tail', 'tar', 'tee', 'test', 'touch', 'tr', 'true'],
  ...['uname', 'uniq', 'wc', 'xargs', 'npm', 'npx', 'script'],
];

export interface RunFolder {
  /** The folder for temporary files, in memory if allowed and possible. */
  readonly temporary: string;
  /** The folder for tests that kill writing processes or test the disk itself. */
  readonly onDisk: string;
  /** Makes a PATH with the tools of the first tier only. */
  makePlainPath(): string;
  remove(): void;
}

const IN_MEMORY = '/dev/shm';
/** Several times what the files of a run store at once. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/** Whether a folder in memory has space and allows programs: there a write needs no disk. */
const hasMemoryFolder = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const probe = join(IN_MEMORY, `${PREFIX}${process.pid}-probe`);
    writeFileSync(probe, '', { mode: 0o700 });
    try {
      // Fails if the folder is mounted with `noexec`.
      accessSync(probe, constants.X_OK);
      return bavail * bsize >= NEEDED_BYTES;
    } finally {
      rmSync(probe);
    }
  } catch {
    return false;
  }
};

/** Makes the folder of this run in a parent folder. */
const makeIn = (parent: string): string => {
  removeAbandoned(parent);
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
};

/** The folders for all files of a run: in the system's temporary folder, and in memory if allowed and possible. */
export const makeRunFolder = ({ inMemory }: { readonly inMemory: boolean }): RunFolder => {
  const folder = makeIn(tmpdir());
  const memoryFolder = inMemory && hasMemoryFolder() ? makeIn(IN_MEMORY) : undefined;
  const onDisk = join(folder, 'tmp');
  const temporary = memoryFolder === undefined ? onDisk : join(memoryFolder, 'tmp');
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
      for (const path of [folder, memoryFolder ?? folder])
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
      // A disk of a test is still mounted there, or another run removes the folder as well.
    }
  }
};
