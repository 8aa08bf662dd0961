import { chownSync, mkdtempSync } from 'node:fs';

/** The user and the group `nobody` of every Linux. */
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

/**
 * The command that runs a program as another user where this process is root's: PostgreSQL and PgBouncer refuse root. That
 * user keeps the right to open any file, since the tests' cache and the folder of a run are root's alone. PostgreSQL
 * asks by access(2), which forgets such a right of another user unless `no_setuid_fixup` is set.
 */
export const withoutRoot = (file: string, ...args: readonly string[]): readonly [string, string[]] => {
  if (!isRoot) return [file, [...args]];
  const user = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
  const right = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  return ['setpriv', [...user, ...right, '--securebits', '+no_setuid_fixup', file, ...args]];
};

/** Makes a folder that belongs to the user of such a program; `prefix` is the path up to its random part. */
export const makeFolderWithoutRoot = (prefix: string): string => {
  const folder = mkdtempSync(prefix);
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
};
