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
import { formOf, pictureOf } from '../../accounts/profile/avatars.ts';

/** Milliseconds of each attack: all connections are open and have sent what they can within the first second. */
const ATTACK = process.env.LONG === undefined ? 1_500 : 5_000;
const MEGABYTE = 1_048_576;

const HEALTH = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
const REFERENCE = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
/** A file that is unpacked for those who take it in no other form: 1.5 MB. */
const PROGRAM = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';
/** A request that is refused before its body comes, which is of chunks of one byte each. */
const UNWANTED = 'POST /api/auth/logout HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const BYTE = '1\r\nx\r\n';

const residentOf = (pid: number, member: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] = new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  ) ?? [undefined, '0'];
  return (Number(kilobytes) * 1_024) / MEGABYTE;
};

/** Requests before an attack: a server that is in use has a larger heap than one that has just started. */
const REQUESTS_BEFORE = 1_000;
const LANES = 32;

/** Answers so many requests, as a server does that is in use. */
const warmUp = async (url: string): Promise<void> => {
  let sent = 0;
  // Not by `fetch`, which takes more of the processor than the server does.
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

/** The milliseconds until a client of another address, on a new connection, has an answer. */
const timeOfOther = async (url: string): Promise<number> => {
  const began = performance.now();
  const sent = request(`${url}/api/auth/me`, {
    agent: false,
    localAddress: '127.0.0.99',
    timeout: 20_000,
  }).end();
  sent.once('timeout', () => sent.destroy());
  const [answer] = await once(sent, 'response');
  await once(answer.resume(), 'end');
  expect(answer.statusCode).to.equal(401);
  return performance.now() - began;
};

/** The time in which this part of them was answered. */
const partOf = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(part * times.length) - 1] ?? 0;

interface Attack {
  readonly addresses: readonly string[];
  /** Of each address. */
  readonly connections: number;
  /** `flood`: the text is repeated for as long as the server reads. */
  readonly mode: 'flood' | 'once';
  readonly text: string;
  /** Sent first, once. */
  readonly head?: string;
}

/** Megabytes: an attack takes up to 100, and half as much again waits for the collector at times. */
const MOST_GROWTH = 150;

/** Milliseconds in which others get their answers, where the machine has nothing else to do. */
const SOON = 1_000;
/** How often as long as before the attack others may wait, which counts where the machine is busy. */
const AS_LONG = 100;

describe('Answers that nobody reads', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  let attacker: ChildProcess | undefined;
  afterEach(() => killProgram(attacker));

  const startSmall = () =>
    start('accounts', folder(), { NODE_OPTIONS: '--max-old-space-size=256', LOG_LEVEL: 'warn' });

  /** Attacks the server and checks its memory and the answer times of others. */
  const attack = async ({ url, pid }: RunningServer, given: Attack) => {
    const { addresses, connections, mode, text, head = '' } = given;
    await warmUp(url);
    const timesBefore: number[] = [];
    for (let sent = 0; sent < 50; sent += 1) timesBefore.push(await timeOfOther(url));
    const before = residentOf(pid, 'VmRSS');
    // Begins the peak anew (proc(5)).
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
    const end = performance.now() + ATTACK;
    // At least one of them, however busy the machine is: each is answered while the attack goes on.
    do {
      times.push(await timeOfOther(url));
      await pause(50);
    } while (performance.now() < end);
    expect(attacker.exitCode).to.equal(null);
    const growth = residentOf(pid, 'VmHWM') - before;
    const milliseconds = [0.5, 0.9, 1].map((part) => Math.round(partOf(times, part)));
    figure(`${Math.round(growth)} MB more; ${times.length} others in ${milliseconds.join(', ')} ms`);
    expect(growth).to.be.lessThan(MOST_GROWTH);
    // The fastest of them: behind a backlog all would wait, and on a busy machine each may wait for the processor.
    expect(Math.min(...times)).to.be.lessThan(SOON + AS_LONG * partOf(timesBefore, 0.5));
  };

  it('cost little where one address pipelines small requests', async () => {
    await attack(await startSmall(), {
      addresses: ['127.0.0.2'],
      connections: 120,
      mode: 'flood',
      text: HEALTH,
    });
  });

  it('cost little where one account asks for its avatar on many connections', async () => {
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
    const form = formOf({ bytes: pictureOf(2_000_000) });
    const { status } = await fetch(`${server.url}/api/avatar`, { method: 'POST', headers, body: form });
    expect(status).to.equal(200);
    await attack(server, {
      addresses: ['127.0.0.2'],
      connections: 400,
      mode: 'once',
      text: `GET /api/avatar HTTP/1.1\r\nHost: a\r\nAuthorization: ${headers.Authorization}\r\n\r\n`,
    });
  });

  it('cost little where one address asks for what must be unpacked', async () => {
    await attack(await startSmall(), {
      addresses: ['127.0.0.2'],
      connections: 250,
      mode: 'once',
      text: PROGRAM,
    });
  });

  it('leave time for others where one address sends bodies that nobody wants', async () => {
    await attack(await startSmall(), {
      addresses: ['127.0.0.2'],
      connections: 120,
      mode: 'flood',
      head: UNWANTED,
      text: BYTE,
    });
  });

  const SEVEN = ['2', '3', '4', '5', '6', '7', '8'].map((last) => `127.0.0.${last}`);

  for (const count of [1, 8]) {
    it(`leave room for others where seven addresses hold as many connections as the server takes, with ${count} each`, async () => {
      await attack(await startSmall(), {
        addresses: SEVEN,
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
    it(`leave room for others where seven addresses pipeline ${size} requests on all of them`, async () => {
      await attack(await startSmall(), {
        addresses: SEVEN,
        connections: 300,
        mode: 'flood',
        text,
      });
    });
  }
});
