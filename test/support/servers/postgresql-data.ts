import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { makeFolderWithoutRoot, withoutRoot } from './without-root.ts';

/** Settings that the tests write; servers read the file after `postgresql.conf`. */
export const SETTINGS_FILE = 'settings.conf';

/**
 * No authentication. Texts are sorted as in English, not by their bytes, as on most servers: a statement that relies on
 * the order of bytes without a COLLATE fails.
 */
const OPTIONS = [
  ...['--auth', 'trust', '--username', 'postgres', '--no-sync', '--encoding', 'UTF8'],
  ...['--locale', 'C.UTF-8', '--locale-provider', 'icu', '--icu-locale', 'en-US'],
];

const run = (file: string, ...args: readonly string[]): void => {
  const [command, all] = withoutRoot(file, ...args);
  execFileSync(command, all, { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** An empty data folder of this program in the tests' cache: copying it takes a fifth of the time of creating one. */
const emptyData = (program: string): string => {
  const bin = dirname(realpathSync(program));
  const key = createHash('sha256')
    .update([bin, ...OPTIONS].join('\0'))
    .digest('hex')
    .slice(0, 12);
  const cache = cacheFolder();
  const folder = join(cache, `postgresql-data-${key}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = makeFolderWithoutRoot(`${folder}.`);
  run(join(bin, 'initdb'), '--pgdata', fresh, ...OPTIONS);
  appendFileSync(join(fresh, 'postgresql.conf'), `include_if_exists '${SETTINGS_FILE}'\n`);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(fresh, { recursive: true });
  }
  return folder;
};

/** Creates a data folder without databases of users. */
export const makeData = (program: string, folder: string): void =>
  run('cp', '-r', emptyData(program), folder);

/**
 * The files that a copy of a running server's data leaves out (see "Making a Base Backup Using the Low Level API" in the
 * manual): the write-ahead log, which the copy reads from the server, and the files of its processes and replicas.
 */
const LEFT_OUT = [
  ...['./pg_wal/*', './pg_replslot/*', './pg_dynshmem/*', './pg_notify/*', './pg_serial/*'],
  ...['./pg_snapshots/*', './pg_stat_tmp/*', './pg_subtrans/*', './postmaster.*', './postgresql.auto.conf'],
];

/** Copies the data of a running server. Files that change meanwhile let tar exit with 1. */
export const copyRunningData = (from: string, to: string): void => {
  const without = LEFT_OUT.map((pattern) => `--exclude='${pattern}'`).join(' ');
  const script = `mkdir -m 700 "$1" && { tar -C "$0" ${without} -cf - . || [ $? = 1 ]; } | tar -C "$1" -xpf -`;
  run('sh', '-c', script, from, to);
};
