import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import Libsql from 'libsql';
import { inRounds, race } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { ROUNDS } from '../../support/rounds.ts';
import {
  isGroupAlive,
  type RunningServer,
  useServerProcesses,
} from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const WORKERS = '3';
const ada = { email: 'ada@example.com', password: 'correct horse battery' };

/** The ids of the processes that logged this event after the first `from` lines. */
const pidsOf = (server: RunningServer, event: string, from = 0): ReadonlySet<number> =>
  new Set(
    server
      .logged()
      .slice(from)
      .flatMap((line) => (line.event === event ? [line.pid] : [])),
  );

const childrenOf = (pid: number): readonly number[] => {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
  } catch {
    return [];
  }
};

describe('The workers of a server', function () {
  this.timeout(300_000 + ROUNDS * 30_000);
  const { launch, start } = useServerProcesses();
  const folder = useTempFolder();
  const shared = useServerProcesses('suite');
  const sharedFolder = useTempFolder('suite');
  /** The server of the tests that do not end it. */
  let server: RunningServer;
  before(async () => {
    server = await shared.start('all', sharedFolder(), { WORKERS, HASH_WORKERS: '4' });
  });

  /** Uses a new connection for each request, so that requests reach all workers. */
  const health = ({ url }: RunningServer, path = '/health') =>
    ask(url, 'GET', path, { headers: { Connection: 'close' } }).then(({ status }) => status);

  it('serve both services with one announcement, and hash with the configured number of processes', async () => {
    await race(30, async () => expect(await health(server)).to.equal(200));
    expect((await ask(server.metadataUrl, 'GET', '/health')).status).to.equal(200);
    await until(() => pidsOf(server, 'request').size === 3);
    expect(childrenOf(server.pid)).to.have.members([...pidsOf(server, 'request')]);
    const announced = server.logged().filter(({ event }) => event === 'server.listening');
    expect(announced.map(({ address }) => address)).to.deep.equal([server.url, server.metadataUrl]);
    expect(server.stderr().match(/^Accounts /gm)).to.have.lengthOf(1);
    expect(server.stderr().match(/^Warning: SELF_ENTITLEMENT/gm)).to.have.lengthOf(1);

    // More logins at once than processes: two of the three workers hash one at a time, the third hashes two. A worker starts
    // its second process at its first two simultaneous logins, which may be delayed on a busy machine.
    const hashing = async () => {
      await race(40, () =>
        ask(server.url, 'POST', '/api/auth/login', { body: ada, headers: { Connection: 'close' } }),
      );
      return childrenOf(server.pid)
        .map((worker) => childrenOf(worker).length)
        .toSorted();
    };
    await until(async () => `${await hashing()}` === '1,1,2');
    expect(await hashing()).to.deep.equal([1, 1, 2]);
  });

  it('enforce the exact rate limit', async () => {
    const limit = 37;
    const settings = { WORKERS, RATE_LIMIT_LOGIN: `${limit}`, TRUSTED_PROXIES: '127.0.0.1' };
    const server = await start('accounts', folder(), settings);
    let clients = 0;
    const callAll = async (): Promise<void> => {
      const before = server.logged().length;
      const events = (name: string) =>
        server
          .logged()
          .slice(before)
          .filter(({ event }) => event === name);
      clients += 1;
      const headers = { Connection: 'close', 'X-Forwarded-For': `192.0.2.${clients}` };
      const options = { body: {}, headers };
      const answers = await race(150, () => ask(server.url, 'POST', '/api/auth/login', options));
      await until(() => events('request').length >= 150);
      // On a busy machine a worker may hold the lock of the file for too long; then the others count apart.
      if (events('limiter.apart').length > 0 && clients < 10) return callAll();
      const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
      expect([count(400), count(429)]).to.deep.equal([limit, 150 - limit]);
      expect(pidsOf(server, 'request', before).size).to.equal(3);
    };
    await inRounds(callAll);
  });

  it('refuse a token at once after a sign-out at another worker', async () => {
    const before = server.logged().length;
    const post = (path: string, body: unknown, token = '') =>
      ask(server.url, 'POST', path, { body, token, headers: { Connection: 'close' } });
    await post('/api/auth/register', ada);
    const code = await makeMailFolder(join(sharedFolder(), 'data/mail')).codeFor(ada.email);
    const { body } = await post('/api/auth/verify-email', { ...ada, code });
    const token = String(body.token);
    const me = () =>
      race(12, async () => {
        const options = { token, headers: { Connection: 'close' } };
        return (await ask(server.url, 'GET', '/api/auth/me', options)).status;
      });
    expect(new Set(await me())).to.deep.equal(new Set([200]));
    expect((await post('/api/auth/logout', {}, token)).status).to.equal(200);
    expect(new Set(await me())).to.deep.equal(new Set([401]));
    await until(() => pidsOf(server, 'request', before).size === 3);
  });

  it('are restarted if they die, while the others serve', async () => {
    const [killed = 0, ...others] = childrenOf(server.pid);
    process.kill(killed, 'SIGKILL');
    await server.logs('worker.ended');
    await race(10, async () => expect(await health(server)).to.equal(200));
    await until(() => childrenOf(server.pid).length === 3);
    expect(childrenOf(server.pid)).to.include.members(others).and.not.include(killed);
    const line = server.logged().find(({ event }) => event === 'worker.ended');
    expect(line).to.include({ level: 50, pid: server.pid, reason: 'SIGKILL' });
  });

  it('close a connection that a killed worker was given but had not taken', async function () {
    this.timeout(30_000);
    const [victim = 0] = childrenOf(server.pid);
    process.kill(victim, 'SIGSTOP');
    let ended = 0;
    const clients = race(30, () =>
      health(server)
        .catch(() => 0)
        .finally(() => {
          ended += 1;
        }),
    );
    await until(() => ended === 29);
    process.kill(victim, 'SIGKILL');
    expect((await clients).filter((status) => status === 200)).to.have.lengthOf(29);
    await until(() => childrenOf(server.pid).length === 3 && !childrenOf(server.pid).includes(victim));
  });

  it('are renewed at SIGUSR2 without a lost request, and stay ready', async () => {
    const before = childrenOf(server.pid);
    let isRenewed = false;
    const clients = race(4, async () => {
      while (!isRenewed)
        for (const path of ['/health', '/health/ready']) expect(await health(server, path)).to.equal(200);
    });
    server.signal('SIGUSR2');
    await Promise.race([server.logs('worker.all_renewed'), clients]);
    isRenewed = true;
    await clients;
    const after = childrenOf(server.pid);
    expect(after).to.have.lengthOf(3);
    expect(after.filter((pid) => before.includes(pid))).to.deep.equal([]);
  });

  it('are kept if the settings are invalid at a SIGHUP', async () => {
    const before = childrenOf(server.pid);
    const secret = join(sharedFolder(), 'data/internal-secret');
    execFileSync('sh', ['-c', 'echo short > "$0"', secret]);
    server.signal('SIGHUP');
    await server.logs('worker.not_renewed');
    expect(childrenOf(server.pid)).to.deep.equal(before);
    expect(server.stderr()).to.match(/^INTERNAL_SECRET: /m);
    expect(await health(server)).to.equal(200);
  });

  it('end with exit code 0 after SIGTERM, with all their log lines', async () => {
    const server = await start('all', folder(), { WORKERS });
    await race(30, () => health(server));
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    const count = (wanted: string) => server.logged().filter(({ event }) => event === wanted).length;
    expect([count('request'), count('server.closed')]).to.deep.equal([30, 6]);
    expect(isGroupAlive(server.pid)).to.equal(false);
  });

  /** Ends a server while clients connect anew for each request. Returns what the last request of each came to. */
  const endWithClients = async (workers: string, whenDraining = async (_server: RunningServer) => {}) => {
    const server = await start('all', folder(), { WORKERS: workers });
    const clients = race(16, async () => {
      for (;;) {
        const code = await health(server).catch((error) => error.cause.code);
        if (typeof code !== 'number') return code;
      }
    });
    const count = (wanted: string) => server.logged().filter(({ event }) => event === wanted).length;
    await until(() => count('request') > 100);
    server.signal('SIGTERM');
    await until(() => count('server.draining') === 2 * Number(workers));
    await whenDraining(server);
    return clients;
  };

  for (const workers of ['1', WORKERS])
    it(`end without resetting a client that connects anew for each request, with WORKERS=${workers}`, async () => {
      expect(await endWithClients(workers)).to.deep.equal(Array(16).fill('ECONNREFUSED'));
    });

  it('end without resetting a client while the primary process gets no processor for a while', async () => {
    const clients = endWithClients(WORKERS, async ({ pid }) => {
      process.kill(pid, 'SIGSTOP');
      await wait(600);
      process.kill(pid, 'SIGCONT');
    });
    expect(await clients).to.deep.equal(Array(16).fill('ECONNREFUSED'));
  });

  it('end at once after a second signal, and if the primary process is killed', async () => {
    for (const signals of [['SIGTERM', 'SIGTERM'], ['SIGKILL']] as const) {
      const server = await start('accounts', folder(), { WORKERS: '2' });
      for (const signal of signals) server.signal(signal);
      await server.ended;
      await until(() => !isGroupAlive(server.pid));
      expect(isGroupAlive(server.pid), signals.join(' ')).to.equal(false);
    }
  });

  it('report a failed start once, with the exit code of a single process', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? `${address.port}` : '';
    const first = await start('accounts', folder());
    first.signal('SIGTERM');
    await first.ended;
    const failStart = async (settings: Record<string, string>) => {
      const server = launch('accounts', folder(), { WORKERS, SELF_ENTITLEMENT: 'ignore', ...settings });
      const { code } = await server.ended;
      return { code, lines: server.stderr().split('\n').filter(Boolean) };
    };
    expect(await failStart({ ACCOUNTS_PORT: 'x' })).to.have.property('code', 78);
    const portInUse = await failStart({ ACCOUNTS_PORT: port });
    other.close();
    expect(portInUse).to.deep.equal({ code: 78, lines: ['ACCOUNTS_PORT: the port is in use'] });
    const store = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    store.exec('PRAGMA user_version = 999');
    store.close();
    const { code, lines } = await failStart({});
    expect([code, lines.length]).to.deep.equal([75, 1]);
  });
});
