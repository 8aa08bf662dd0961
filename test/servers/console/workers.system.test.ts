import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask, type RequestOptions } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { codeAt } from '../accounts/second-factor/factor.ts';
import { cookieOf } from './console-client.ts';

const STEP_MS = 30_000;
const SETTINGS = { WORKERS: '2', CONSOLE_PORT: '0' };
const ada = { email: 'ada@example.com', password: 'correct horse battery' };
const PAGE_HEADERS = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' } as const;

const consoleOf = (server: RunningServer): string => /^Console +(http\S+)$/m.exec(server.stderr())?.[1] ?? '';

const workersOf = ({ pid }: RunningServer): readonly number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));

describe('The console with two workers', () => {
  const { start } = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let server: RunningServer;
  let cookie = '';
  let target = '';

  /** Opens a new connection for each call, so that the workers take turns. */
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    ask(consoleOf(server), method, path, {
      ...options,
      headers: { ...PAGE_HEADERS, Connection: 'close', Cookie: `gatehouse-console=${cookie}` },
    });
  const post = (path: string, body: unknown, options: RequestOptions = {}) =>
    ask(server.url, 'POST', path, { ...options, body });
  const rows = async () => {
    const { body } = await send('GET', `/api/admin/users/${target}/audit`);
    return Array.from(body.rows as unknown as Iterable<{ readonly reason: string; readonly action: string }>);
  };

  before(async () => {
    server = await start('accounts', folder(), SETTINGS);
    await post('/api/auth/register', ada);
    const code = await makeMailFolder(join(folder(), 'data/mail')).codeFor(ada.email);
    const { body } = await post('/api/auth/verify-email', { ...ada, code });
    const [id, token] = [String(body.user?.id), String(body.token)];
    const secret = readFileSync(join(folder(), 'data/internal-secret'), 'utf8').trim();
    await ask(server.url, 'PATCH', `/api/admin/users/${id}`, {
      headers: { 'x-internal-secret': secret },
      body: { service: 'DROP', accessFlags: { isOperatorTeam: true, operatorTeamRole: 'founder' } },
    });
    const key = String((await post('/api/auth/2fa', { enable: true }, { token })).body.secret);
    const now = Date.now();
    await post('/api/auth/2fa', { enable: true, secret: key, verificationCode: codeAt(key, now) }, { token });
    const signedIn = await send('POST', '/api/admin/sign-in', {
      body: { ...ada, verificationCode: codeAt(key, now + STEP_MS) },
    });
    expect(signedIn.status).to.equal(200);
    cookie = cookieOf(signedIn) ?? '';
    await post('/api/auth/register', { email: 'eve@example.com', password: 'correct horse battery' });
    const users = await send('GET', '/api/admin/directory?prefix=eve');
    target = String(users.body.users?.[0]?.id);
  });

  it('has one address and one session for both workers', async () => {
    const listening = server.logged().filter(({ event }) => event === 'server.listening');
    expect(listening.map(({ address }) => address)).to.include(consoleOf(server));
    const from = server.logged().length;
    await race(24, async () =>
      expect((await send('GET', `/api/admin/users/${target}`)).status).to.equal(200),
    );
    const answeringPids = () =>
      new Set(
        server
          .logged()
          .slice(from)
          .flatMap(({ event, pid }) => (event === 'request' ? [pid] : [])),
      );
    await until(() => answeringPids().size === 2);
    expect([...answeringPids()]).to.have.members([...workersOf(server)]);
  });

  it('performs one of 20 concurrent bans of the same version, and refuses the others with 409', async () => {
    const seen = String((await send('GET', `/api/admin/users/${target}`)).body.user?.updatedAt);
    const statuses = await race(20, async (place) => {
      const body = { reason: `act ${place}`, seen };
      return (await send('POST', `/api/admin/users/${target}/ban`, { body })).status;
    });
    expect(statuses.toSorted()).to.deep.equal([200, ...Array<number>(19).fill(409)]);
  });

  it('keeps the session and replaces the worker after a worker is killed', async () => {
    const [victim = 0] = workersOf(server);
    process.kill(victim, 'SIGKILL');
    await server.logs('worker.ended');
    await race(8, async () => expect((await send('GET', '/api/auth/me')).status).to.equal(200));
    await until(() => workersOf(server).length === 2);
  });

  it('completes an action that was in progress at SIGTERM, and keeps its audit row after a restart', async () => {
    const body = JSON.stringify({ reason: 'as the server went down' });
    const { hostname, port } = new URL(consoleOf(server));
    const action = request({
      ...{ hostname, port, method: 'POST', path: `/api/admin/users/${target}/disable`, agent: false },
      headers: {
        ...PAGE_HEADERS,
        Cookie: `gatehouse-console=${cookie}`,
        'Content-Length': Buffer.byteLength(body),
        Expect: '100-continue',
      },
    });
    const status = new Promise<number>((resolve, reject) => {
      action.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject);
    });
    const continued = new Promise((resolve) => action.once('continue', resolve));
    action.flushHeaders();
    await continued;
    server.signal('SIGTERM');
    await server.logs('server.draining');
    action.end(body);
    expect(await status).to.equal(200);
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });

    server = await start('accounts', folder(), SETTINGS);
    const [last] = await rows();
    expect(last).to.include({ action: 'user.disabled', reason: 'as the server went down' });
  });
});
