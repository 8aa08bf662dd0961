import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { inRounds, race } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { ROUNDS } from '../../support/rounds.ts';
import {
  type RunningServer,
  type Settings,
  useServerProcesses,
} from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const ada = { email: 'ada@example.com', password: 'correct horse battery' };

describe('Server processes that share a DATA_DIR', function () {
  this.timeout(300_000 + ROUNDS * 30_000);
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  /** Starts `count` account services at once on an empty folder, each on its own port. */
  const startSeveral = (count: number, settings: Settings = {}, data = 'data') =>
    race(count, () => start('accounts', folder(), { DATA_DIR: data, ...settings }));

  const post = ({ url }: RunningServer, path: string, body: unknown, token?: string) =>
    ask(url, 'POST', path, { body, ...(token === undefined ? {} : { token }) });

  it('share registrations, tokens and sign-outs', async () => {
    const [first, second, third] = await startSeveral(3);
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('There are fewer than three servers.');
    expect((await post(first, '/api/auth/register', ada)).status).to.equal(201);
    const code = await makeMailFolder(join(folder(), 'data/mail')).codeFor(ada.email);
    const verified = await post(second, '/api/auth/verify-email', { ...ada, code });
    expect(verified.status).to.equal(200);
    const token = String(verified.body.token);
    const me = ({ url }: RunningServer) => ask(url, 'GET', '/api/auth/me', { token });
    const statuses = async (...servers: RunningServer[]) =>
      (await Promise.all(servers.map(me))).map(({ status }) => status);
    expect(await statuses(first, second, third)).to.deep.equal([200, 200, 200]);

    // Sent once, because a cached session would expire before a retry.
    const logout = await ask(first.url, 'POST', '/api/auth/logout', { token });
    expect(logout.body).to.deep.equal({ success: true });
    const after = await statuses(second, third);
    expect(after).to.deep.equal([401, 401]);
  });

  it('enforce the exact rate limit in any distribution of calls', async () => {
    const limit = 37;
    const servers = await startSeveral(3, { RATE_LIMIT_LOGIN: `${limit}`, TRUSTED_PROXIES: '127.0.0.1' });
    await inRounds(async (round) => {
      const headers = { 'X-Forwarded-For': `192.0.2.${round}` };
      const statuses = await race(200, async (place) => {
        const server = servers[place % 3];
        if (server === undefined) throw new Error('There are fewer than three servers.');
        // The empty body is refused after the limiter and before any hashing.
        return (await ask(server.url, 'POST', '/api/auth/login', { body: {}, headers })).status;
      });
      const count = (status: number) => statuses.filter((actual) => actual === status).length;
      expect([count(400), count(429)]).to.deep.equal([limit, 200 - limit]);
    });
  });

  it('agree on keys and secrets if their first starts are simultaneous', () =>
    inRounds(async (round) => {
      const data = `first-${round}`;
      const servers = await startSeveral(5, {}, data);
      const keySets = await Promise.all(
        servers.map(async ({ url }) => (await ask(url, 'GET', '/.well-known/jwks.json')).body),
      );
      for (const keys of keySets) expect(keys).to.deep.equal(keySets[0]);

      const [first, ...others] = servers;
      if (first === undefined) throw new Error('There is no server.');
      await post(first, '/api/auth/register', ada);
      const code = await makeMailFolder(join(folder(), data, 'mail')).codeFor(ada.email);
      const [verified] = await Promise.all(
        others.slice(0, 1).map((server) => post(server, '/api/auth/verify-email', { ...ada, code })),
      );
      const secret = readFileSync(join(folder(), data, 'internal-secret'), 'utf8').trim();
      const headers = { 'x-internal-secret': secret };
      const body = { token: verified?.body.token };
      for (const { url } of servers) {
        const answer = await ask(url, 'POST', '/api/auth/introspect', { body, headers });
        expect(answer.body).to.include({ active: true, sub: verified?.body.user?.id });
      }
    }));

  it('create files and folders that only their owner can read', async () => {
    const [server] = await startSeveral(1);
    if (server === undefined) throw new Error('There is no server.');
    await post(server, '/api/auth/register', ada);
    await makeMailFolder(join(folder(), 'data/mail')).codeFor(ada.email);
    const data = join(folder(), 'data');
    const names = readdirSync(data, { recursive: true, encoding: 'utf8' });
    const modes = ['', ...names].map((name) => {
      const stat = statSync(join(data, name));
      return { name, mode: stat.mode & 0o777, expected: stat.isDirectory() ? 0o700 : 0o600 };
    });
    expect(modes.filter(({ mode, expected }) => mode !== expected)).to.deep.equal([]);
    expect(names).to.include.members([
      'gatehouse.db',
      'limits.db',
      'internal-secret',
      'keys/hash-key',
      'mail',
    ]);
    expect(names.some((name) => name.endsWith('.eml'))).to.equal(true);
  });
});
