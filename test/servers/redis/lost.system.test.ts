import { join } from 'node:path';
import { expect } from 'chai';
import { startCommand } from '../../cli/run-command.ts';
import { canStartRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { type LogLine, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { seedFiles } from '../metadata/seed.ts';

const WARNING = 40;
/** Milliseconds between two lines: a second, less what a busy machine keeps a process waiting before it writes one. */
const APART = 700;

// These kill their server, so it is always one of their own, whatever REDIS_URL names.
describe('A Redis that is lost', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  let redis: RedisServer;

  before(function () {
    if (canStartRedis()) return;
    console.log('Left out: a lost Redis. It needs redis-server on the PATH: REDIS_URL is left in peace.');
    this.skip();
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.end());

  it('under a server that is used has a line a second in its log, which names what is down', async () => {
    const server = await start('all', folder(), { REDIS_URL: redis.url });
    const ids = [...(await seedFiles(join(folder(), 'data'), 'user', 1_000))];
    const meta = (method: string) => ask(server.metadataUrl, method, `/api/v1/meta/${ids.pop()}`);
    const logIn = () =>
      ask(server.url, 'POST', '/api/auth/login', { body: { email: 'a@example.com', password: 'wrong one' } });
    const warnings = () => server.logged().filter(({ level }) => level >= WARNING);
    const about = (name: string) => warnings().filter(({ event }) => event.startsWith(`${name}.`));
    expect((await meta('GET')).status).to.equal(200);
    // Of two at once, the second would be refused that waits for two seconds until the hashing process has started.
    expect((await logIn()).status).to.equal(401);
    expect(warnings()).to.deep.equal([]);

    await redis.kill();
    await until(async () => {
      const all = [meta('GET'), meta('DELETE'), meta('DELETE'), logIn(), logIn()];
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses).to.deep.equal([200, 200, 200, 401, 401]);
      return about('cache').length >= 3;
    });

    expect(about('limiter').map(({ event }) => event)).to.deep.equal(['limiter.failed']);
    const times = about('cache').map(({ time }: LogLine) => Date.parse(time));
    const gaps = times.slice(1).map((time, place) => time - (times[place] ?? time));
    expect(Math.min(...gaps)).to.be.at.least(APART);
    const others = warnings().filter(({ event }) => !/^(cache|limiter|dependency)\./.test(event));
    expect(others).to.deep.equal([]);
  });

  it('under a command that changes something is told once a second, by the names of what is down, and it ends well', async () => {
    const server = await start('all', folder());
    server.signal('SIGTERM');
    await server.ended;
    await seedFiles(join(folder(), 'data'), 'user', 1_000);
    const env = { REDIS_URL: redis.url, DATA_DIR: join(folder(), 'data'), LOG_LEVEL: 'info' };
    // The command connects, and waits with its first write.
    await redis.command('CLIENT PAUSE 60000 WRITE');
    const running = startCommand(folder(), ['cache', 'invalidate', 'user', '--type', 'DEL'], { env });
    // The write that waits may be given up, and told of, before the kill.
    let notWaitingAt = 0;
    await until(async () => {
      const askedAt = performance.now();
      const isWaiting = /blocked_clients:[1-9]/.test(await redis.command('INFO clients'));
      if (!isWaiting) notWaitingAt = askedAt;
      return isWaiting;
    });
    await redis.kill();
    const { status, stderr } = await running;
    const seconds = Math.ceil((performance.now() - notWaitingAt) / 1_000);
    expect(status).to.equal(0);
    const down = [...stderr.matchAll(/^Warning: (\w+)\./gm)].map(([, dependency]) => dependency);
    expect([...new Set(down)]).to.have.members(['cache', 'limiter']);
    for (const name of ['cache', 'limiter'])
      expect(down.filter((dependency) => dependency === name).length, name).to.be.at.most(seconds);
    expect(stderr).to.match(/^Removed 1000 records/m);
  });
});
