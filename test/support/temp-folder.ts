import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test, made before and removed after each test of the suite that calls this. */
export const useTempFolder = (): (() => string) => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
};
