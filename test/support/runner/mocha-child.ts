import { readFileSync } from 'node:fs';
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

/** The counts of each test file. */
export type CountsByFile = Readonly<Record<string, Counts>>;

/** The message that this process sends to the runner. */
export interface RunAnswer {
  readonly byFile: CountsByFile;
  readonly times: TimesByFile;
}

/** The seconds of each test file; an empty name stands for loading all of them. */
export type TimesByFile = Readonly<Record<string, { readonly clock: number; readonly processor: number }>>;

const [timeout, pattern = '', ...files] = process.argv.slice(2);
if (files.length === 0) throw new Error('A time-out, a pattern and a test file are needed.');

// `inspected` replaces the time-out. With Node's --inspect-brk worker threads, such as the writer of SQLite, would wait as well.
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
prototype.assert = function (...args) {
  checked();
  return assert.apply(this, args);
};
const { run } = Mocha.Test.prototype;
Mocha.Test.prototype.run = function (done) {
  // Checks in the hooks before the test do not count as checks of the test.
  takeChecks();
  return run.call(this, done);
};

const counts: Record<string, Counts> = {};
const count = (file = '', outcome: keyof Counts) => {
  const before = counts[file] ?? { passed: 0, failed: 0, skipped: 0 };
  counts[file] = { ...before, [outcome]: before[outcome] + 1 };
};
// An unhandled rejection ends the product's own processes. Here it fails the running test.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
/** Processor time of this process and of its ended children. */
const processorSeconds = (): number => {
  try {
    // proc(5): the times of the process and of its children, in hundredths of a second.
    const [, fields = ''] = /\) (.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const ticks = fields.split(' ').slice(11, 15);
    return ticks.reduce((sum, count) => sum + Number(count), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
};
const times: Record<string, TimesByFile[string]> = {};
const last = { clock: 0, processor: 0 };
/** Adds the time since the last call to the file's time. */
const takeTime = (file = '') => {
  const now = { clock: performance.now() / 1_000, processor: processorSeconds() };
  const { clock = 0, processor = 0 } = times[file] ?? {};
  times[file] = {
    clock: clock + now.clock - last.clock,
    processor: processor + now.processor - last.processor,
  };
  Object.assign(last, now);
};
takeTime();
const runner = mocha.run(() => process.send?.({ byFile: counts, times } satisfies RunAnswer));
runner.on('suite end', ({ parent, file }) => {
  if (parent?.root === true) takeTime(file);
});
runner.on('pass', (test) => {
  if (takeChecks() > 0) return count(test.file, 'passed');
  count(test.file, 'failed');
  console.log(`    ✘ It asserts nothing, and so cannot fail: ${test.fullTitle()}`);
});
runner.on('fail', ({ file }) => count(file, 'failed'));
runner.on('pending', ({ file }) => count(file, 'skipped'));

// The runner was killed: ends the processes that the tests have started.
process.once('disconnect', () => {
  endBelow(process.pid);
  process.exit(1);
});
// The channel alone does not keep this process alive.
process.channel?.unref();
