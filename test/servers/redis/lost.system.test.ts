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
/** Milliseconds between two log lines: a second, less the delay of a process on a busy machine. */
const MIN_GAP_MS = 700;

// These tests kill Redis, so they start their own server and ignore REDIS_URL.
describe('A killed Redis server', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  let redis: RedisServer;

  before(function () {
    if (canStartRedis()) return;
    console.log('Left out: a killed Redis server. It needs redis-server on the PATH, despite REDIS_URL.');
    this.skip();
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.end());

  it('causes at most one log line a second for each dependency of a busy server', async () => {
    const server = await start('all', folder(), { REDIS_URL: redis.url });
    const ids = [...(await seedFiles(join(folder(), 'data'), 'user', 1_000))];
    const meta = (method: string) => ask(server.metadataUrl, method, `/api/v1/meta/${ids.pop()}`);
    const logIn = () =>
      ask(server.url, 'POST', '/api/auth/login', { body: { email: 'a@example.com', password: 'wrong one' } });
    const warnings = () => server.logged().filter(({ level }) => level >= WARNING);
    const warningsOf = (name: string) => warnings().filter(({ event }) => event.startsWith(`${name}.`));
    expect((await meta('GET')).status).to.equal(200);
    // The first sign-in starts the hashing process; a simultaneous second would wait two seconds and be refused.
    expect((await logIn()).status).to.equal(401);
    expect(warnings()).to.deep.equal([]);

    await redis.kill();
    await until(async () => {
      const all = [meta('GET'), meta('DELETE'), meta('DELETE'), logIn(), logIn()];
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses).to.deep.equal([200, 200, 200, 401, 401]);
      return warningsOf('cache').length >= 3;
    });

    expect(warningsOf('limiter').map(({ event }) => event)).to.deep.equal(['limiter.failed']);
    const times = warningsOf('cache').map(({ time }: LogLine) => Date.parse(time));
    const gaps = times.slice(1).map((time, place) => time - (times[place] ?? time));
    expect(Math.min(...gaps)).to.be.at.least(MIN_GAP_MS);
    const others = warnings().filter(({ event }) => !/^(cache|limiter|dependency)\./.test(event));
    expect(others).to.deep.equal([]);
  });

  it('causes one warning a second for each dependency of a command, which ends successfully', async () => {
    const server = await start('all', folder());
    server.signal('SIGTERM');
    await server.ended;
    await seedFiles(join(folder(), 'data'), 'user', 1_000);
    const env = { REDIS_URL: redis.url, DATA_DIR: join(folder(), 'data'), LOG_LEVEL: 'info' };
    // The command connects, and its first write blocks.
    await redis.command('CLIENT PAUSE 60000 WRITE');
    const command = startCommand(folder(), ['cache', 'invalidate', 'user', '--type', 'DEL'], { env });
    // The blocked write may time out, with a warning, before the kill.
    let notWaitingAt = 0;
    await until(async () => {
      const sentAt = performance.now();
      const isWaiting = /blocked_clients:[1-9]/.test(await redis.command('INFO clients'));
      if (!isWaiting) notWaitingAt = sentAt;
      return isWaiting;
    });
    await redis.kill();
    const { status, stderr } = await command;
    const seconds = Math.ceil((performance.now() - notWaitingAt) / 1_000);
    expect(status).to.equal(0);
    const down = [...stderr.matchAll(/^Warning: (\w+)\./gm)].map(([, dependency]) => dependency);
    expect([...new Set(down)]).to.have.members(['cache', 'limiter']);
    for (const name of ['cache', 'limiter'])
      expect(down.filter((dependency) => dependency === name).length, name).to.be.at.most(seconds);
    expect(stderr).to.match(/^Removed 1000 records/m);
  });
});
