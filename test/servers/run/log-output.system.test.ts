import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { easySettings } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

/** Requests, fewer than the maximum of one connection. */
const MANY = 990;

const server = join(root, 'dist/servers/accounts.js');

describe('A server whose log cannot be written', () => {
  const folder = useTempFolder();
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  const start = async (stdout: 'pipe' | number): Promise<string> => {
    child = spawn(process.execPath, [server], {
      cwd: folder(),
      stdio: ['ignore', stdout, 'pipe'],
      env: { PATH: process.env.PATH, ...easySettings, LOG_LEVEL: 'info', RATE_LIMIT_HEALTH: '1000000' },
    });
    let stderr = '';
    for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
      stderr += chunk;
      if (/^Data .*\n/m.test(stderr)) break;
    }
    return /^Accounts +(http\S+)$/m.exec(stderr)?.[1] ?? expect.fail(stderr);
  };

  /** Causes more log lines than a pipe buffers, then ends the server. */
  const useAndEnd = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    const request = `GET /health HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${'r'.repeat(64)}\r\n\r\n`;
    socket.write(request.repeat(MANY));
    let responses = 0;
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      responses += String(chunk).split('"status":"ok"').length - 1;
      if (responses === MANY) break;
    }
    expect(responses).to.equal(MANY);
    socket.destroy();
    const startMs = performance.now();
    child?.kill('SIGTERM');
    const [code] = await once(child ?? expect.fail('The server was not started.'), 'exit', {
      signal: AbortSignal.timeout(10_000),
    });
    expect(code).to.equal(0);
    expect(performance.now() - startMs).to.be.below(9_000);
  };

  it('keeps answering and ends in time if the disk of the log is full', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      await useAndEnd(await start(full));
    } finally {
      closeSync(full);
    }
  });

  it('keeps answering and ends in time if the pipe is not read', async () => {
    await useAndEnd(await start('pipe'));
  });

  it('keeps answering and ends in time if the pipe has been closed', async () => {
    const url = await start('pipe');
    child?.stdout?.destroy();
    await useAndEnd(url);
  });
});
