import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for one test, made before and removed after each test of the suite that calls this. A suite that starts
 * processes in it says first how they end: hooks run in the order in which they were set up.
 */
export const useTempFolder = (): (() => string) => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return () => folder;
};
