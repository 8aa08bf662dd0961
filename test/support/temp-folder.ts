import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long something is there: for one test, or for all of a suite. */
export type Scope = 'test' | 'suite';

export const hooksOf = (scope: Scope) =>
  scope === 'test' ? { begin: beforeEach, end: afterEach } : { begin: before, end: after };

/**
 * A folder for one test, or for all of the suite that calls this, made before and removed after. A suite that starts
 * processes in it says first how they end: hooks run in the order in which they were set up.
 */
export const useTempFolder = (scope: Scope = 'test'): (() => string) => {
  const { begin, end } = hooksOf(scope);
  let folder = '';
  begin(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  });
  end(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return () => folder;
};
