import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runFile } from './run-file.ts';
import { useTempFolder } from './temp-folder.ts';
import { until } from './until.ts';

describe('running a test file', () => {
  const folder = useTempFolder();
  const run = (body: string, file = 10_000) => {
    const path = join(folder(), 'some.test.cjs');
    writeFileSync(path, body);
    return runFile(path, { ...process.env }, { test: 200, file, leftovers: 300 });
  };

  it('counts what passed, failed and was skipped, and shows what went wrong', async () => {
    const result = await run(`
      it('holds', () => {});
      it.skip('waits', () => {});
      it('breaks', () => { throw new Error('the reason'); });
      it('never ends', (done) => {});
    `);
    expect(result).to.include({ passed: 1, failed: 2, skipped: 1 });
    expect(result.output).to.contain('the reason');
  });

  const troubles: [title: string, body: string, passed: number, words: RegExp][] = [
    ['does not load', "throw new Error('no start')", 0, /no start[\s\S]*ended with code 1/],
    ['holds no test', '', 0, /holds no test/],
    [
      'dies in the midst of it',
      "it('goes', () => process.kill(process.pid, 'SIGKILL'))",
      0,
      /ended with SIGKILL/,
    ],
    [
      'leaves something running',
      "it('holds', () => { setInterval(() => {}, 9) })",
      1,
      /left something running/,
    ],
    ['runs for too long', "it('blocks', () => { for (;;); })", 0, /was stopped after 1 s/],
    ['runs one test alone', "it.only('picks', () => {})", 0, /only/],
  ];
  for (const [title, body, passed, words] of troubles) {
    it(`fails for a file that ${title}`, async () => {
      const result = await run(body, title.includes('long') ? 1_000 : 10_000);
      expect(result).to.include({ passed, failed: 1 });
      expect(result.output).to.match(words);
    });
  }

  it('ends what the tests started and left behind', async () => {
    const result = await run(`
      it('starts one', () => {
        const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' });
        child.unref();
        console.log('pid=' + child.pid);
      });
    `);
    const pid = Number(/pid=(\d+)/.exec(result.output)?.[1]);
    expect(pid).to.be.greaterThan(1);
    await until(() => !isRunning(pid), 5_000);
  });
});

/** Whether the process is there and not merely waiting to be collected. */
const isRunning = (pid: number): boolean => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status.split(') ')[1]?.[0] !== 'Z';
  } catch {
    return false;
  }
};
