import Mocha from 'mocha';

/** What one test file, or several together, came to; sent to the runner over the channel between the processes. */
export interface FileCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const [timeout, ...files] = process.argv.slice(2);
if (files.length === 0) throw new Error('A time-out and a test file are needed.');

const mocha = new Mocha({ reporter: 'spec', timeout: Number(timeout), forbidOnly: true, color: false });
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run(() => {
  const { passes, failures, pending } = runner.stats ?? { passes: 0, failures: 1, pending: 0 };
  process.send?.({ passed: passes, failed: failures, skipped: pending } satisfies FileCounts);
});
