import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';
import { listProcesses } from './process-tree.ts';
import { type FileLimits, runFile } from './run-file.ts';

const CHAI = createRequire(import.meta.url).resolve('chai');
const RUN_FILE = new URL('./run-file.js', import.meta.url).href;

const childrenOf = (pid: number): readonly number[] =>
  listProcesses().flatMap((row) => (row.parent === pid ? [row.pid] : []));

describe('The runner of test files', () => {
  const folder = useTempFolder();
  const limits = { test: 5_000, file: 60_000, leftovers: 5_000 };
  const write = (body: string, name = 'some') => {
    const path = join(folder(), `${name}.test.cjs`);
    writeFileSync(path, `const { expect } = require(${JSON.stringify(CHAI)});\n${body}`);
    return path;
  };
  const run = (body: string, differences: Partial<FileLimits> = {}) =>
    runFile(write(body), { ...process.env }, { ...limits, ...differences });

  it('counts passed, failed and skipped tests, and reports the errors', async () => {
    const result = await run(`
      it('holds', () => { expect(1).to.equal(1); });
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
      'is killed during a test',
      "it('goes', () => process.kill(process.pid, 'SIGKILL'))",
      0,
      /ended with SIGKILL/,
    ],
    [
      'leaves something running',
      "it('holds', () => { expect(1).to.equal(1); setInterval(() => {}, 9) })",
      1,
      /left something running/,
    ],
    ['runs for too long', "it('blocks', () => { for (;;); })", 0, /was stopped after 1 s/],
    ['has an `it.only`', "it.only('picks', () => {})", 0, /only/],
  ];
  for (const [title, body, passed, words] of troubles) {
    it(`fails for a file that ${title}`, async () => {
      const result = await run(body, title.includes('long') ? { file: 1_000 } : {});
      expect(result).to.include({ passed, failed: 1 });
      expect(result.output).to.match(words);
    });
  }

  it('fails a test without an assertion, even if its hooks assert', async () => {
    const result = await run(`
      beforeEach(() => { expect(1).to.equal(1); });
      it('checks', () => { expect([]).to.be.empty; });
      it('runs through', () => { for (const one of []) expect(one).to.equal(1); });
    `);
    expect(result).to.include({ passed: 1, failed: 1 });
    expect(result.output).to.match(/asserts nothing[^\n]*runs through/);
  });

  it('fails a test during which a rejection is unhandled', async () => {
    const result = await run(`
      const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
      it('drops one', async () => {
        Promise.reject(new Error('nobody handles this'));
        await turn();
        expect(1).to.equal(1);
      });
      it('handles one', async () => {
        Promise.reject(new Error('somebody handles this')).catch(() => undefined);
        await turn();
        expect(1).to.equal(1);
      });
    `);
    expect(result.passed).to.equal(1);
    // mocha counts the failure once more if the test still ends.
    expect(result.failed).to.be.within(1, 2);
    expect(result.output).to.contain('nobody handles this').and.not.contain('somebody handles this');
  });

  it('fails a file with an unhandled rejection after its last test', async () => {
    const result = await run(`
      it('ends', () => {
        setTimeout(() => Promise.reject(new Error('too late')), 20);
        expect(1).to.equal(1);
      });
    `);
    expect(result.failed).to.equal(1);
    expect(result.output).to.contain('too late');
  });

  it('counts by file if several files share a process', async () => {
    const good = write("it('holds', () => { expect(1).to.equal(1); })", 'good');
    const bad = write("it('breaks', () => { expect(1).to.equal(2); })", 'bad');
    const result = await runFile([good, bad], { ...process.env }, limits);
    expect(result.byFile).to.deep.equal({
      [good]: { passed: 1, failed: 0, skipped: 0 },
      [bad]: { passed: 0, failed: 1, skipped: 0 },
    });
    const empty = write('', 'empty');
    const broken = await runFile([good, empty], { ...process.env }, limits);
    expect(broken).to.include({ failed: 1, byFile: undefined });
  });

  it('runs only tests whose titles match the pattern', async () => {
    const body =
      "it('one', () => { expect(1).to.equal(1); }); it('other', () => { throw new Error('no'); });";
    expect(await run(body, { pattern: '^o.e$' })).to.include({ passed: 1, failed: 0 });
    expect(await run(body, { pattern: 'neither' })).to.include({ passed: 0, failed: 0 });
  });

  /** Starts a runner whose test starts a server that starts a worker, and returns the runner and both pids once they run. */
  const startRunner = async () => {
    const pidFile = join(folder(), 'pids');
    const path = write(`
        it('starts a server that starts a worker', function (done) {
          const program = "require('node:child_process').spawn('sleep', ['60']); setInterval(() => {}, 1000)";
          const options = { detached: true, stdio: 'ignore', env: {} };
          const child = require('node:child_process').spawn(process.execPath, ['-e', program], options);
          require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
        });
      `);
    const program = `
        import { endAllWithThisProcess, runFile } from ${JSON.stringify(RUN_FILE)};
        endAllWithThisProcess(() => undefined);
        await runFile(${JSON.stringify(path)}, process.env, { test: 60000, file: 60000, leftovers: 300 });`;
    const runner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    const pids = () => {
      const server = Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : 0);
      return server > 0 ? [server, ...childrenOf(server)] : [];
    };
    await until(() => pids().length === 2);
    return { runner, started: pids() };
  };

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`ends the servers of its tests on ${signal}`, async () => {
      const { runner, started } = await startRunner();
      runner.kill(signal);
      await until(() => !started.some(isRunning));
      expect(started).to.have.length(2);
    });
  }

  it('ends processes that the tests left running', async () => {
    const result = await run(`
      it('starts one', () => {
        const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' });
        child.unref();
        console.log('pid=' + child.pid);
        expect(child.pid).to.be.a('number');
      });
    `);
    const pid = Number(/pid=(\d+)/.exec(result.output)?.[1]);
    expect(pid).to.be.greaterThan(1);
    await until(() => !isRunning(pid));
  });
});

/** Whether the process runs; a zombie does not. */
const isRunning = (pid: number): boolean => listProcesses().some((row) => row.pid === pid);
