import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { scrapeSamples, sumOf } from '../../support/metrics.ts';
import { type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { needsRedis } from './open-redis.ts';

describe('Two machines with one REDIS_URL', () => {
  let server: RedisServer;
  let services: TestService[] = [];

  const statuses = (count: number) =>
    race(count, async (place) => {
      const service = services[place % services.length];
      return (await service?.request('POST', '/api/auth/login', { body: {} }))?.status;
    });
  const down = async (service: TestService) => (await service.request('GET', '/health')).body.down;

  const apart = async (service: TestService) =>
    sumOf(await scrapeSamples(service.metricsUrl), 'gatehouse_limiter_apart');

  needsRedis('two machines with one REDIS_URL');

  beforeEach(async () => {
    server = await startRedis();
    const settings = {
      REDIS_URL: server.url,
      HASH_KEY: randomBytes(32).toString('base64url'),
      RATE_LIMIT_LOGIN: '10',
      METRICS_PORT: '0',
    };
    services = [await openTestService(settings), await openTestService(settings)];
  });

  afterEach(async () => {
    await Promise.all(services.map((service) => service.close()));
    await server.end();
  });

  it('enforce one exact limit for a client together', async () => {
    const answers = await statuses(30);
    expect(answers.filter((status) => status !== 429)).to.deep.equal(Array(10).fill(400));
    for (const { log } of services) {
      expect(log.lines.filter(({ event }) => /^(limiter|cache)\./.test(event))).to.deep.equal([]);
    }
  });

  it('report the cache as down while Redis is full, and limit locally', async () => {
    const [service] = services;
    if (service === undefined) throw new Error('No service was opened.');
    // On a busy machine Redis may be late at first.
    await until(async () => (await down(service)) === undefined && (await apart(service)) === 0);
    await server.command('CONFIG SET maxmemory-policy noeviction');
    await server.command('CONFIG SET maxmemory 1');
    await until(async () => JSON.stringify(await down(service)) === '["cache"]');
    const answers = await statuses(60);
    expect(answers.filter((status) => status !== 429).length).to.be.within(10, 20);
    expect(answers).to.include(429);
    expect(await apart(service)).to.equal(1);
    await server.command('CONFIG SET maxmemory 0');
    await until(async () => (await down(service)) === undefined);
    await until(async () => (await apart(service)) === 0);
  });
});
