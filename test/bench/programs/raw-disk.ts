/** A program: repeatedly appends 4 KiB to a file and waits for the disk. Answers with the rate. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskJob } from '../raw.ts';

process.once('message', ({ folder, seconds }: DiskJob) => {
  const path = join(folder, 'raw-disk');
  const file = openSync(path, 'a', 0o600);
  const block = Buffer.alloc(4_096, 'x');
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    writeSync(file, block);
    fdatasyncSync(file);
    count += 1;
  }
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  closeSync(file);
  rmSync(path);
  process.send?.({ perSecond });
});
