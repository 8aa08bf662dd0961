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

  /** So many account services at once on an empty folder, each on a port of its own. */
  const startSeveral = (count: number, settings: Settings = {}, data = 'data') =>
    race(count, () => start('accounts', folder(), { DATA_DIR: data, ...settings }));

  const post = ({ url }: RunningServer, path: string, body: unknown, token?: string) =>
    ask(url, 'POST', path, { body, ...(token === undefined ? {} : { token }) });

  it('are one service: what one begins another ends', async () => {
    const [one, other, third] = await startSeveral(3);
    if (one === undefined || other === undefined || third === undefined)
      throw new Error('Three were asked for.');
    expect((await post(one, '/api/auth/register', ada)).status).to.equal(201);
    const code = await makeMailFolder(join(folder(), 'data/mail')).codeFor(ada.email);
    const verified = await post(other, '/api/auth/verify-email', { ...ada, code });
    expect(verified.status).to.equal(200);
    const token = String(verified.body.token);
    const me = ({ url }: RunningServer) => ask(url, 'GET', '/api/auth/me', { token });
    const statuses = async (...servers: RunningServer[]) =>
      (await Promise.all(servers.map(me))).map(({ status }) => status);
    expect(await statuses(one, other, third)).to.deep.equal([200, 200, 200]);

    // Asked once: no second passes in which another look would find it dead.
    const out = await ask(one.url, 'POST', '/api/auth/logout', { token });
    expect(out.body).to.deep.equal({ success: true });
    const after = await statuses(other, third);
    expect(after).to.deep.equal([401, 401]);
  });

  it('let exactly as many calls through as the limit says, however they are spread', async () => {
    const limit = 37;
    const servers = await startSeveral(3, { RATE_LIMIT_LOGIN: `${limit}`, TRUSTED_PROXIES: '127.0.0.1' });
    await inRounds(async (round) => {
      const headers = { 'X-Forwarded-For': `192.0.2.${round}` };
      const statuses = await race(200, async (place) => {
        const server = servers[place % 3];
        if (server === undefined) throw new Error('Three were asked for.');
        // Refused for its content once it is past the limiter, so that no hash is waited for.
        return (await ask(server.url, 'POST', '/api/auth/login', { body: {}, headers })).status;
      });
      const count = (status: number) => statuses.filter((one) => one === status).length;
      expect([count(400), count(429)]).to.deep.equal([limit, 200 - limit]);
    });
  });

  it('agree on keys and secrets when their first starts come at once', () =>
    inRounds(async (round) => {
      const data = `first-${round}`;
      const servers = await startSeveral(5, {}, data);
      const keySets = await Promise.all(
        servers.map(async ({ url }) => (await ask(url, 'GET', '/.well-known/jwks.json')).body),
      );
      for (const keys of keySets) expect(keys).to.deep.equal(keySets[0]);

      const [first, ...others] = servers;
      if (first === undefined) throw new Error('Five were asked for.');
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

  it('keep everything for the eyes of its owner alone', async () => {
    const [server] = await startSeveral(1);
    if (server === undefined) throw new Error('One was asked for.');
    await post(server, '/api/auth/register', ada);
    await makeMailFolder(join(folder(), 'data/mail')).codeFor(ada.email);
    const data = join(folder(), 'data');
    const names = readdirSync(data, { recursive: true, encoding: 'utf8' });
    const modes = ['', ...names].map((name) => {
      const stat = statSync(join(data, name));
      return { name, mode: stat.mode & 0o777, right: stat.isDirectory() ? 0o700 : 0o600 };
    });
    expect(modes.filter(({ mode, right }) => mode !== right)).to.deep.equal([]);
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
