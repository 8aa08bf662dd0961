import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { makeMailFolder } from '../../../support/mail-folder.ts';
import { figure } from '../../../support/runner/figures.ts';
import { killProgram } from '../../../support/servers/kill-program.ts';
import { type RunningServer, useServerProcesses } from '../../../support/servers/server-process.ts';
import { ask } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { formOf, makePngOfLength } from '../../accounts/profile/avatars.ts';

/** Milliseconds of each attack. Within the first second all connections are open and have sent all they can. */
const ATTACK_MS = process.env.LONG === undefined ? 1_500 : 5_000;
const MEGABYTE = 1_048_576;

const HEALTH = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
const REFERENCE = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
/** A file of 1.5 MB that is decompressed for clients that accept no compression. */
const PROGRAM = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';
/** A request that is refused before its body arrives; the body consists of chunks of one byte. */
const UNWANTED_HEAD = 'POST /api/auth/logout HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const BYTE = '1\r\nx\r\n';

const residentOf = (pid: number, member: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] = new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  ) ?? [undefined, '0'];
  return (Number(kilobytes) * 1_024) / MEGABYTE;
};

/** Requests before an attack, because a server in use has a larger heap than a freshly started one. */
const REQUESTS_BEFORE = 1_000;
const LANES = 32;

/** Sends requests so that the server counts as in use. */
const warmUp = async (url: string): Promise<void> => {
  let sent = 0;
  // `fetch` would need more of the processor than the server.
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const lane = async () => {
    for (; sent < REQUESTS_BEFORE; sent += 1) {
      const [answer] = (await once(get(`${url}/api/auth/me`, { agent }), 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
};

/** Returns the milliseconds until a client at another address has a response on a new connection. */
const timeBystander = async (url: string): Promise<number> => {
  const startMs = performance.now();
  const sent = request(`${url}/api/auth/me`, {
    agent: false,
    localAddress: '127.0.0.99',
    timeout: 20_000,
  }).end();
  sent.once('timeout', () => sent.destroy());
  const [answer] = await once(sent, 'response');
  await once(answer.resume(), 'end');
  expect(answer.statusCode).to.equal(401);
  return performance.now() - startMs;
};

/** Returns a quantile of the times. */
const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(part * times.length) - 1] ?? 0;

interface Attack {
  readonly addresses: readonly string[];
  /** Connections of each address. */
  readonly connections: number;
  /** `flood` repeats the text for as long as the server reads. */
  readonly mode: 'flood' | 'once';
  readonly text: string;
  /** Sent once, before the text. */
  readonly head?: string;
}

/** Megabytes: an attack takes up to 100, and at times 50 more wait for the garbage collector. */
const MAX_GROWTH = 150;

/** Milliseconds within which other clients get responses on an idle machine. */
const IDLE_MS = 1_000;
/** How many times longer than before the attack other clients may wait; relevant on a busy machine. */
const MAX_SLOWDOWN = 100;

describe('Unread responses', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  let attacker: ChildProcess | undefined;
  afterEach(() => killProgram(attacker));

  const startSmall = () =>
    start('accounts', folder(), { NODE_OPTIONS: '--max-old-space-size=256', LOG_LEVEL: 'warn' });

  /** Attacks the server and checks its memory and the answer times of others. */
  const attack = async ({ url, pid }: RunningServer, options: Attack) => {
    const { addresses, connections, mode, text, head = '' } = options;
    await warmUp(url);
    const timesBefore: number[] = [];
    for (let sent = 0; sent < 50; sent += 1) timesBefore.push(await timeBystander(url));
    const before = residentOf(pid, 'VmRSS');
    // Resets the peak of the resident memory (proc(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const { port } = new URL(url);
    attacker = fork(new URL('./attacker.js', import.meta.url), [
      port,
      String(connections),
      addresses.join(),
      mode,
      text,
      head,
    ]);
    await once(attacker, 'message');
    const times: number[] = [];
    const end = performance.now() + ATTACK_MS;
    // Measures at least one request during the attack, even on a busy machine.
    do {
      times.push(await timeBystander(url));
      await pause(50);
    } while (performance.now() < end);
    expect(attacker.exitCode).to.equal(null);
    const growth = residentOf(pid, 'VmHWM') - before;
    const milliseconds = [0.5, 0.9, 1].map((part) => Math.round(quantile(times, part)));
    figure(`${Math.round(growth)} MB more; ${times.length} others in ${milliseconds.join(', ')} ms`);
    expect(growth).to.be.lessThan(MAX_GROWTH);
    // Checks the fastest: behind a backlog all would wait, and on a busy machine any of them may wait for the processor.
    expect(Math.min(...times)).to.be.lessThan(IDLE_MS + MAX_SLOWDOWN * quantile(timesBefore, 0.5));
  };

  it('cost little memory and time if one address pipelines small requests', async () => {
    await attack(await startSmall(), {
      addresses: ['127.0.0.2'],
      connections: 120,
      mode: 'flood',
      text: HEALTH,
    });
  });

  it('cost little memory and time if one account requests its avatar on many connections', async () => {
    const server = await startSmall();
    const mails = makeMailFolder(join(folder(), 'data/mail'));
    const email = 'ada@example.com';
    const password = 'correct horse battery';
    await ask(server.url, 'POST', '/api/auth/register', { body: { email, password } });
    const code = await mails.codeFor(email);
    const { body } = await ask(server.url, 'POST', '/api/auth/verify-email', {
      body: { email, code, password },
    });
    const headers = { Authorization: `Bearer ${String(body.token)}` };
    const form = formOf({ bytes: makePngOfLength(2_000_000) });
    const { status } = await fetch(`${server.url}/api/avatar`, { method: 'POST', headers, body: form });
    expect(status).to.equal(200);
    await attack(server, {
      addresses: ['127.0.0.2'],
      connections: 400,
      mode: 'once',
      text: `GET /api/avatar HTTP/1.1\r\nHost: a\r\nAuthorization: ${headers.Authorization}\r\n\r\n`,
    });
  });

  it('cost little memory and time if one address requests files that must be decompressed', async () => {
    await attack(await startSmall(), {
      addresses: ['127.0.0.2'],
      connections: 250,
      mode: 'once',
      text: PROGRAM,
    });
  });

  it('leave time for other clients if one address sends unwanted bodies', async () => {
    await attack(await startSmall(), {
      addresses: ['127.0.0.2'],
      connections: 120,
      mode: 'flood',
      head: UNWANTED_HEAD,
      text: BYTE,
    });
  });

  const ADDRESSES = ['2', '3', '4', '5', '6', '7', '8'].map((last) => `127.0.0.${last}`);

  for (const count of [1, 8]) {
    it(`leave room for other clients if seven addresses use all connections, with requests on each: ${count}`, async () => {
      await attack(await startSmall(), {
        addresses: ADDRESSES,
        connections: 300,
        mode: 'once',
        text: REFERENCE.repeat(count),
      });
    });
  }

  for (const [size, text] of [
    ['small', HEALTH],
    ['large', REFERENCE],
  ] as const) {
    it(`leave room for other clients if seven addresses pipeline ${size} requests on all connections`, async () => {
      await attack(await startSmall(), {
        addresses: ADDRESSES,
        connections: 300,
        mode: 'flood',
        text,
      });
    });
  }
});
