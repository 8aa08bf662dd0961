import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { makeFolderWithoutRoot, withoutRoot } from './without-root.ts';

/** Read after `postgresql.conf` by every server of the tests, and written by them. */
export const SETTINGS_FILE = 'settings.conf';

/**
 * Everybody is let in. Texts are sorted as in English, not by their bytes, as on most servers: a statement that
 * relies on an order of bytes and does not say so fails.
 */
const OPTIONS = [
  ...['--auth', 'trust', '--username', 'postgres', '--no-sync', '--encoding', 'UTF8'],
  ...['--locale', 'C.UTF-8', '--locale-provider', 'icu', '--icu-locale', 'en-US'],
];

const run = (file: string, ...args: readonly string[]): void => {
  const [command, all] = withoutRoot(file, ...args);
  execFileSync(command, all, { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** An empty data folder of this program, made once and kept in the tests' cache: a copy takes a fifth of the time. */
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

/** Makes a data folder without databases of users. */
export const makeData = (program: string, folder: string): void =>
  run('cp', '-r', emptyData(program), folder);

/**
 * What a copy of a running server's data leaves out (the manual, "Making a Base Backup Using the Low Level API"): the log
 * of its writes, which the copy reads from the server, and what belongs to its processes or to its replicas.
 */
const LEFT_OUT = [
  ...['./pg_wal/*', './pg_replslot/*', './pg_dynshmem/*', './pg_notify/*', './pg_serial/*'],
  ...['./pg_snapshots/*', './pg_stat_tmp/*', './pg_subtrans/*', './postmaster.*', './postgresql.auto.conf'],
];

/** Copies the data of a running server, of which files come and go meanwhile: tar says so by a status of 1. */
export const copyRunningData = (from: string, to: string): void => {
  const without = LEFT_OUT.map((pattern) => `--exclude='${pattern}'`).join(' ');
  const script = `mkdir -m 700 "$1" && { tar -C "$0" ${without} -cf - . || [ $? = 1 ]; } | tar -C "$1" -xpf -`;
  run('sh', '-c', script, from, to);
};
