import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { type Ask, ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { codeAt } from '../accounts/second-factor/factor.ts';
import { cookieOf } from './opened.ts';

const STEP = 30_000;
const SETTINGS = { WORKERS: '2', CONSOLE_PORT: '0' };
const ada = { email: 'ada@example.com', password: 'correct horse battery' };
const OWN = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' } as const;

const consoleOf = (server: RunningServer): string => /^Console +(http\S+)$/m.exec(server.stderr())?.[1] ?? '';

const workersOf = ({ pid }: RunningServer): readonly number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));

describe('The console’s listener of two workers', () => {
  const { start } = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let server: RunningServer;
  let cookie = '';
  let target = '';

  /** On a connection of its own, so that the workers take turns. */
  const send = (method: string, path: string, given: Ask = {}) =>
    ask(consoleOf(server), method, path, {
      ...given,
      headers: { ...OWN, Connection: 'close', Cookie: `gatehouse-console=${cookie}` },
    });
  const post = (path: string, body: unknown, given: Ask = {}) =>
    ask(server.url, 'POST', path, { ...given, body });
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
      body: { ...ada, verificationCode: codeAt(key, now + STEP) },
    });
    expect(signedIn.status).to.equal(200);
    cookie = cookieOf(signedIn) ?? '';
    await post('/api/auth/register', { email: 'eve@example.com', password: 'correct horse battery' });
    const users = await send('GET', '/api/admin/directory?prefix=eve');
    target = String(users.body.users?.[0]?.id);
  });

  it('has one address and one session, whichever worker answers', async () => {
    const announced = server.logged().filter(({ event }) => event === 'server.listening');
    expect(announced.map(({ address }) => address)).to.include(consoleOf(server));
    const from = server.logged().length;
    await race(24, async () =>
      expect((await send('GET', `/api/admin/users/${target}`)).status).to.equal(200),
    );
    const answering = () =>
      new Set(
        server
          .logged()
          .slice(from)
          .flatMap(({ event, pid }) => (event === 'request' ? [pid] : [])),
      );
    await until(() => answering().size === 2);
    expect([...answering()]).to.have.members([...workersOf(server)]);
  });

  it('lets one of many same acts through, of all workers, and counts acts in all of them', async () => {
    const seen = String((await send('GET', `/api/admin/users/${target}`)).body.user?.updatedAt);
    const statuses = await race(20, async (place) => {
      const body = { reason: `act ${place}`, seen };
      return (await send('POST', `/api/admin/users/${target}/ban`, { body })).status;
    });
    expect(statuses.toSorted()).to.deep.equal([200, ...Array<number>(19).fill(409)]);
  });

  it('goes on when a worker is killed, with the same session', async () => {
    const [victim = 0] = workersOf(server);
    process.kill(victim, 'SIGKILL');
    await server.logs('worker.ended');
    await race(8, async () => expect((await send('GET', '/api/auth/me')).status).to.equal(200));
    await until(() => workersOf(server).length === 2);
  });

  it('ends an act at SIGTERM that was under way, and it is there after the next start', async () => {
    const body = JSON.stringify({ reason: 'as the server went down' });
    const { hostname, port } = new URL(consoleOf(server));
    const act = request({
      ...{ hostname, port, method: 'POST', path: `/api/admin/users/${target}/disable`, agent: false },
      headers: {
        ...OWN,
        Cookie: `gatehouse-console=${cookie}`,
        'Content-Length': Buffer.byteLength(body),
        Expect: '100-continue',
      },
    });
    const answered = new Promise<number>((resolve, reject) => {
      act.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject);
    });
    const asked = new Promise((resolve) => act.once('continue', resolve));
    act.flushHeaders();
    await asked;
    server.signal('SIGTERM');
    await server.logs('server.draining');
    act.end(body);
    expect(await answered).to.equal(200);
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });

    server = await start('accounts', folder(), SETTINGS);
    const [last] = await rows();
    expect(last).to.include({ action: 'user.disabled', reason: 'as the server went down' });
  });
});
