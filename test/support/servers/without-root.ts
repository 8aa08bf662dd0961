import { chownSync, mkdtempSync } from 'node:fs';

/** The id of the user and the group `nobody` on Linux. */
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

/**
 * The command that runs a program as another user if this process runs as root: PostgreSQL and PgBouncer refuse root. That
 * user keeps the capability to open any file, because only root may read the tests' cache and the folder of a run. PostgreSQL
 * checks with access(2), which ignores the capability of another user unless `no_setuid_fixup` is set.
 */
export const withoutRoot = (file: string, ...args: readonly string[]): readonly [string, string[]] => {
  if (!isRoot) return [file, [...args]];
  const user = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
  const right = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  return ['setpriv', [...user, ...right, '--securebits', '+no_setuid_fixup', file, ...args]];
};

/** Creates a folder that belongs to the user of such a program; `prefix` is the path without its random part. */
export const makeFolderWithoutRoot = (prefix: string): string => {
  const folder = mkdtempSync(prefix);
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
};
