import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { easySettings } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

/** Requests, fewer than one connection may bring. */
const MANY = 990;

const server = join(root, 'dist/servers/accounts.js');

describe('A server whose log goes nowhere', () => {
  const folder = useTempFolder();
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  const start = async (stdout: 'pipe' | number): Promise<string> => {
    child = spawn(process.execPath, [server], {
      cwd: folder(),
      stdio: ['ignore', stdout, 'pipe'],
      env: { PATH: process.env.PATH, ...easySettings, LOG_LEVEL: 'info', RATE_LIMIT_HEALTH: '1000000' },
    });
    let said = '';
    for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
      said += chunk;
      if (/^Data .*\n/m.test(said)) break;
    }
    return /^Accounts +(http\S+)$/m.exec(said)?.[1] ?? expect.fail(said);
  };

  /** More lines than a pipe holds, then the end. */
  const useAndEnd = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    const asked = `GET /health HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${'r'.repeat(64)}\r\n\r\n`;
    socket.write(asked.repeat(MANY));
    let answered = 0;
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      answered += String(chunk).split('"status":"ok"').length - 1;
      if (answered === MANY) break;
    }
    expect(answered).to.equal(MANY);
    socket.destroy();
    const began = performance.now();
    child?.kill('SIGTERM');
    const [code] = await once(child ?? expect.fail('It was not started.'), 'exit', {
      signal: AbortSignal.timeout(10_000),
    });
    expect(code).to.equal(0);
    expect(performance.now() - began).to.be.below(9_000);
  };

  it('goes on answering and ends in time when the disk of the log is full', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      await useAndEnd(await start(full));
    } finally {
      closeSync(full);
    }
  });

  it('goes on answering and ends in time when nobody reads the pipe', async () => {
    await useAndEnd(await start('pipe'));
  });

  it('goes on answering and ends in time when the reader of the pipe is gone', async () => {
    const url = await start('pipe');
    child?.stdout?.destroy();
    await useAndEnd(url);
  });
});
