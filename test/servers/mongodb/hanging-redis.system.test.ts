import { expect } from 'chai';
import { canStartMongo, type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { canStartRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';

/** Milliseconds until Redis must have dropped a deleted record after it answers again. */
const DROP_MS = 5_000;

// These tests stop their servers, so they start their own and ignore MONGODB_URL and REDIS_URL.
describe('A hanging Redis server beside MongoDB', () => {
  let mongo: MongoServer;
  let redis: RedisServer;
  let service: TestService;

  before(async function () {
    if (!canStartMongo() || !canStartRedis()) return this.skip();
    [mongo, redis] = await Promise.all([startMongo(), startRedis()]);
    service = await openTestService({
      MONGODB_URL: mongo.url('hanging-redis'),
      REDIS_URL: redis.url,
      SELF_ENTITLEMENT: 'trust',
    });
  });
  after(async () => {
    redis?.signal('SIGCONT');
    await service?.close();
    await Promise.all([mongo?.end(), redis?.end()]);
  });

  it('drops the records that were deleted meanwhile within seconds', async () => {
    const { createSome, read, remove } = makeClient(service.metadataUrl);
    const [id = '', otherId = ''] = await createSome('user', 2);
    // An entry starts with a generation, a tombstone does not.
    const isCached = async (file: string) =>
      /^\$\d+\r\n\d+\./.test(await redis.command(`GET gatehouse:meta:${file}`));
    for (const file of [id, otherId]) {
      expect((await read(file)).status).to.equal(200);
      await until(() => isCached(file));
    }

    redis.signal('SIGSTOP');
    // After this read the cache counts as down, so that the deletion is not buffered for Redis.
    expect((await read(otherId)).status).to.equal(200);
    expect((await remove(id)).status).to.equal(200);
    expect((await read(id)).status).to.equal(404);
    redis.signal('SIGCONT');
    await until(async () => !(await isCached(id)), DROP_MS);
    expect((await read(id)).status).to.equal(404);
    expect((await read(otherId)).status).to.equal(200);
  });
});
