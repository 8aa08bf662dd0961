import { open } from 'node:inspector';
import { Assertion } from 'chai';
import Mocha from 'mocha';
import { checked, takeChecks } from './assertions.ts';
import { endBelow } from './process-tree.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What each test file came to; sent to the runner over the channel between the processes. */
export type CountsByFile = Readonly<Record<string, Counts>>;

const [timeout, pattern = '', ...files] = process.argv.slice(2);
if (files.length === 0) throw new Error('A time-out, a pattern and a test file are needed.');

// In place of a time-out. Not Node's --inspect-brk: worker threads, such as the writer of SQLite, would wait as well.
const isInspected = timeout === 'inspected';
if (isInspected) open(9229, '127.0.0.1', true);

const mocha = new Mocha({
  reporter: 'spec',
  timeout: isInspected ? 0 : Number(timeout),
  forbidOnly: true,
  color: false,
});
if (pattern !== '') mocha.grep(new RegExp(pattern));
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

const { prototype } = Assertion;
const { assert } = prototype;
prototype.assert = function (...given) {
  checked();
  return assert.apply(this, given);
};
const { run } = Mocha.Test.prototype;
Mocha.Test.prototype.run = function (done) {
  // Checks of the hooks before it are none of its own.
  takeChecks();
  return run.call(this, done);
};

const counts: Record<string, Counts> = {};
const count = (file = '', what: keyof Counts) => {
  const before = counts[file] ?? { passed: 0, failed: 0, skipped: 0 };
  counts[file] = { ...before, [what]: before[what] + 1 };
};
// A rejection that nobody handles ends the product's own processes. Here it fails the test that runs.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
const runner = mocha.run(() => process.send?.(counts satisfies CountsByFile));
runner.on('pass', (test) => {
  if (takeChecks() > 0) return count(test.file, 'passed');
  count(test.file, 'failed');
  console.log(`    ✘ It asserts nothing, and so cannot fail: ${test.fullTitle()}`);
});
runner.on('fail', ({ file }) => count(file, 'failed'));
runner.on('pending', ({ file }) => count(file, 'skipped'));

// The runner was killed: what the tests started is not to be left.
process.once('disconnect', () => {
  endBelow(process.pid);
  process.exit(1);
});
// Alone, it is no reason to stay.
process.channel?.unref();
