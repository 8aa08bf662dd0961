import Mocha from 'mocha';

/** What one test file came to; sent to the runner over the channel between the processes. */
export interface FileCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const [file, timeout] = process.argv.slice(2);
if (file === undefined || timeout === undefined) throw new Error('A test file and a time-out are needed.');

const mocha = new Mocha({ reporter: 'spec', timeout: Number(timeout), forbidOnly: true, color: false });
mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run(() => {
  const { passes, failures, pending } = runner.stats ?? { passes: 0, failures: 1, pending: 0 };
  process.send?.({ passed: passes, failed: failures, skipped: pending } satisfies FileCounts);
});
