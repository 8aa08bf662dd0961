import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';
import { listProcesses } from './process-tree.ts';
import { type FileLimits, runFile } from './run-file.ts';

const CHAI = createRequire(import.meta.url).resolve('chai');
/** Milliseconds in which a runner ends with all that it started: it looks for them, and waits for their end up to two seconds. */
const SOON = 3_000;
const RUN_FILE = new URL('./run-file.js', import.meta.url).href;
const PROCESS_TREE = new URL('./process-tree.js', import.meta.url).href;

const childrenOf = (pid: number): readonly number[] =>
  listProcesses().flatMap((row) => (row.parent === pid ? [row.pid] : []));

describe('running a test file', () => {
  const folder = useTempFolder();
  const limits = { test: 5_000, file: 60_000, leftovers: 5_000 };
  const write = (body: string, name = 'some') => {
    const path = join(folder(), `${name}.test.cjs`);
    writeFileSync(path, `const { expect } = require(${JSON.stringify(CHAI)});\n${body}`);
    return path;
  };
  const run = (body: string, differences: Partial<FileLimits> = {}) =>
    runFile(write(body), { ...process.env }, { ...limits, ...differences });

  it('counts what passed, failed and was skipped, and shows what went wrong', async () => {
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
      'dies in the midst of it',
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
    ['runs one test alone', "it.only('picks', () => {})", 0, /only/],
  ];
  for (const [title, body, passed, words] of troubles) {
    it(`fails for a file that ${title}`, async () => {
      const result = await run(body, title.includes('long') ? { file: 1_000 } : {});
      expect(result).to.include({ passed, failed: 1 });
      expect(result.output).to.match(words);
    });
  }

  it('fails a test that checks nothing, whatever its hooks check', async () => {
    const result = await run(`
      beforeEach(() => { expect(1).to.equal(1); });
      it('checks', () => { expect([]).to.be.empty; });
      it('runs through', () => { for (const one of []) expect(one).to.equal(1); });
    `);
    expect(result).to.include({ passed: 1, failed: 1 });
    expect(result.output).to.match(/asserts nothing[^\n]*runs through/);
  });

  it('fails the test that runs when nobody handles a rejection', async () => {
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
    // mocha tells of it once more when the test ends all the same.
    expect(result.failed).to.be.within(1, 2);
    expect(result.output).to.contain('nobody handles this').and.not.contain('somebody handles this');
  });

  it('fails a file in which nobody handles a rejection after its last test', async () => {
    const result = await run(`
      it('ends', () => {
        setTimeout(() => Promise.reject(new Error('too late')), 20);
        expect(1).to.equal(1);
      });
    `);
    expect(result.failed).to.equal(1);
    expect(result.output).to.contain('too late');
  });

  it('tells of several files together what each came to', async () => {
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

  it('runs the tests alone whose titles match', async () => {
    const body =
      "it('one', () => { expect(1).to.equal(1); }); it('other', () => { throw new Error('no'); });";
    expect(await run(body, { pattern: '^o.e$' })).to.include({ passed: 1, failed: 0 });
    expect(await run(body, { pattern: 'neither' })).to.include({ passed: 0, failed: 0 });
  });

  /** Starts a runner whose test starts a server that starts a worker, and gives all three once they run. */
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
    const leftFile = join(folder(), 'left');
    const program = `
        import { writeFileSync } from 'node:fs';
        import { listProcesses } from ${JSON.stringify(PROCESS_TREE)};
        import { endAllWithThisProcess, runFile } from ${JSON.stringify(RUN_FILE)};
        let began;
        process.once('SIGTERM', () => { began = performance.now(); });
        endAllWithThisProcess(() => {
          const left = { pids: listProcesses().map(({ pid }) => pid), after: performance.now() - began };
          writeFileSync(${JSON.stringify(leftFile)}, JSON.stringify(left));
        });
        await runFile(${JSON.stringify(path)}, process.env, { test: 60000, file: 60000, leftovers: 300 });`;
    const runner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    const pids = () => {
      const server = Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : 0);
      return server > 0 ? [server, ...childrenOf(server)] : [];
    };
    await until(() => pids().length === 2);
    const started = pids();
    /** What was left of them when the runner tidied up, and how many milliseconds after SIGTERM that was. */
    const left = () => {
      const { pids, after }: { pids: number[]; after: number } = JSON.parse(readFileSync(leftFile, 'utf8'));
      return { pids: started.filter((pid) => pids.includes(pid)), after };
    };
    return { runner, started, left };
  };

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
    it(`ends the servers of its tests when it gets ${signal}`, async () => {
      const { runner, started } = await startRunner();
      runner.kill(signal);
      await until(() => !started.some(isRunning));
      expect(started).to.have.length(2);
    });
  }

  it('has ended the servers of its tests before it tidies up, soon and on a busy machine', async () => {
    const load = Array.from({ length: 8 }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    try {
      const { runner, started, left } = await startRunner();
      runner.kill('SIGTERM');
      await once(runner, 'exit');
      expect(left().pids).to.deep.equal([]);
      expect(left().after).to.be.below(SOON);
      expect(started.filter(isRunning)).to.deep.equal([]);
    } finally {
      for (const child of load) child.kill('SIGKILL');
    }
  });

  it('leaves no stopped process behind when it is killed while it ends them', async () => {
    const program = `
      import { spawn } from 'node:child_process';
      import { endBelow } from ${JSON.stringify(PROCESS_TREE)};
      const pids = Array.from({ length: 20 }, () => spawn('sleep', ['60'], { stdio: 'ignore' }).pid);
      process.send(pids);
      process.once('message', () => endBelow(process.pid));`;
    for (const delay of [0, 1, 2, 4, 8]) {
      const ending = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const [pids] = (await once(ending, 'message')) as [number[]];
      ending.send('end');
      await new Promise((resolve) => setTimeout(resolve, delay));
      ending.kill('SIGKILL');
      await once(ending, 'exit');
      expect(pids.filter((pid) => stateOf(pid) === 'T')).to.deep.equal([]);
      for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('has its usual priority when it has ended what a suite left behind', async () => {
    const program = `
      import { spawn } from 'node:child_process';
      import { getPriority, setPriority } from 'node:os';
      import { endTree } from ${JSON.stringify(PROCESS_TREE)};
      const usual = Math.max(5, getPriority());
      setPriority(usual);
      endTree(spawn('sleep', ['60'], { stdio: 'ignore' }).pid);
      process.send([usual, getPriority()]);`;
    const runner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [[usual, afterwards]] = (await once(runner, 'message')) as [[number, number]];
    expect(afterwards).to.equal(usual);
  });

  it('ends what the tests started and left behind', async () => {
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

/** The letter that Linux gives the state of a process; undefined when the process has ended. */
const stateOf = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  } catch {
    return undefined;
  }
};

/** Whether the process has not ended; one that merely waits to be collected has. */
const isRunning = (pid: number): boolean => ![undefined, 'Z', 'X'].includes(stateOf(pid));
