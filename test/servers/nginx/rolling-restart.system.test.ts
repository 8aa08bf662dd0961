import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { freePort } from '../../support/free-port.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { type Nginx, startNginx } from '../../support/servers/nginx.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const rounds = Math.max(ROUNDS, process.env.LONG ? 100 : 0);
const CLIENTS = 8;
/** An address of this machine other than nginx's own. */
const OUTSIDE = '127.0.0.2';
const ada = { email: 'ada@example.com', password: 'correct horse battery' };

/** Sends a request from the address `OUTSIDE` and returns the status. */
const askFromOutside = (agent: Agent, url: string, method: string, path: string, headers = {}) =>
  new Promise<number>((resolve, reject) => {
    const req = request(`${url}${path}`, { method, agent, localAddress: OUTSIDE, headers });
    req.once('response', (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    req.once('error', reject).end(method === 'POST' ? '{}' : undefined);
  });

describe('Two processes behind nginx', function () {
  this.timeout(300_000 + rounds * 30_000);
  const { start } = useServerProcesses();
  let nginx: Nginx | undefined;
  let agent = new Agent();
  afterEach(async () => {
    agent.destroy();
    await nginx?.end();
  });
  const folder = useTempFolder();

  const open = async () => {
    const [port, onePort, otherPort] = [await freePort(), await freePort(), await freePort()];
    const startAt = (serverPort: number) =>
      start('accounts', folder(), { ACCOUNTS_PORT: `${serverPort}`, TRUSTED_PROXIES: '127.0.0.1' });
    const servers: RunningServer[] = await Promise.all([startAt(onePort), startAt(otherPort)]);
    nginx = await startNginx(folder(), port, [onePort, otherPort]);
    agent = new Agent({ keepAlive: true });
    return { nginx, servers, startAt, ports: [onePort, otherPort] as const };
  };

  const tokenFrom = async (url: string): Promise<string> => {
    await ask(url, 'POST', '/api/auth/register', { body: ada });
    const code = await makeMailFolder(join(folder(), 'data/mail')).codeFor(ada.email);
    const { body } = await ask(url, 'POST', '/api/auth/verify-email', { body: { ...ada, code } });
    return String(body.token);
  };

  it('lose no request while they are restarted one after the other', async () => {
    const { nginx, servers, startAt, ports } = await open();
    const token = await tokenFrom(nginx.url);
    const counts = { reads: 0, writes: 0, repeated: 0 };
    const failures: string[] = [];
    let isDone = false;

    const read = async () => {
      const headers = { Authorization: `Bearer ${token}` };
      const status = await askFromOutside(agent, nginx.url, 'GET', '/api/auth/me', headers);
      counts.reads += 1;
      if (status !== 200) failures.push(`GET ${status}`);
    };
    // This POST changes nothing, so it may be repeated after a 502; nginx never repeats a POST.
    const write = async () => {
      const headers = { 'Content-Type': 'application/json' };
      const send = () => askFromOutside(agent, nginx.url, 'POST', '/api/auth/login', headers);
      let status = await send();
      if (status === 502) {
        counts.repeated += 1;
        status = await send();
      }
      counts.writes += 1;
      if (status !== 400) failures.push(`POST ${status}`);
    };
    const clients = race(CLIENTS, async (place) => {
      while (!isDone) await (place % 2 === 0 ? read() : write());
    });

    for (let restart = 0; restart < rounds * 2; restart += 1) {
      const place = restart % 2;
      const server = servers[place];
      const before = { ...counts };
      server?.signal('SIGTERM');
      expect(await server?.ended).to.deep.equal({ code: 0, signal: null });
      servers[place] = await startAt(ports[place] ?? 0);
      await until(() => counts.reads > before.reads && counts.writes > before.writes);
      expect(servers[place]?.logged().some(({ event }) => event === 'http.failed')).to.equal(false);
    }
    isDone = true;
    await clients;
    expect(failures).to.deep.equal([]);
    // A restart may cut off one request of each writing client. Over many restarts that is rare.
    const maxRepeated = process.env.LONG ? counts.writes / 100 : (rounds * 2 * CLIENTS) / 2;
    expect(counts.repeated, `of ${counts.writes}`).to.be.at.most(maxRepeated);
  });

  it('see the real address of a client despite X-Forwarded-For, and refuse the internal secret from it', async () => {
    const { nginx, servers } = await open();
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Request-Id': 'from-outside' };
    expect(await askFromOutside(agent, nginx.url, 'GET', '/api/auth/me', headers)).to.equal(401);
    const line = () =>
      servers.flatMap((server) => server.logged()).find(({ requestId }) => requestId === 'from-outside');
    await until(() => line() !== undefined);
    expect(line()).to.include({ event: 'request', address: OUTSIDE });

    const secret = readFileSync(join(folder(), 'data/internal-secret'), 'utf8').trim();
    const introspect = async (url: string, name: string) => {
      const options = { body: { token: 'x' }, headers: { [name]: secret } };
      return (await ask(url, 'POST', '/api/auth/introspect', options)).status;
    };
    expect(await introspect(servers[0]?.url ?? '', 'x-internal-secret')).to.equal(200);
    for (const name of ['x-internal-secret', 'X-Internal-Secret', 'x_internal_secret']) {
      expect(await introspect(nginx.url, name), name).to.equal(401);
    }
  });
});
