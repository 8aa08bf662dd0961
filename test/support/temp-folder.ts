import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether something lasts for one test or for all tests of a suite. */
export type Scope = 'test' | 'suite';

export const hooksOf = (scope: Scope) =>
  scope === 'test' ? { begin: beforeEach, end: afterEach } : { begin: before, end: after };

/**
 * A folder for each test, or for all tests of the calling suite. A suite that starts processes in the folder must register
 * the hook that ends them first: hooks run in the order of their registration.
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
