import { expect } from 'chai';
import { canStartMongo, type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { canStartRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';

/** Milliseconds within which Redis must have lost a deleted record once it answers again. */
const WITHIN = 5_000;

// These stop their servers, so they are always their own, whatever MONGODB_URL and REDIS_URL name.
describe('A Redis that hangs beside MongoDB', () => {
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

  it('loses within seconds the records that were deleted meanwhile', async () => {
    const { createSome, read, remove } = makeClient(service.metadataUrl);
    const [id = '', other = ''] = await createSome('user', 2);
    // A tombstone has no generation in front of it.
    const isCached = async (file: string) =>
      /^\$\d+\r\n\d+\./.test(await redis.command(`GET gatehouse:meta:${file}`));
    for (const file of [id, other]) {
      expect((await read(file)).status).to.equal(200);
      await until(() => isCached(file));
    }

    redis.signal('SIGSTOP');
    // From this read on the cache is down, so that the deletion does not wait in a buffer for Redis.
    expect((await read(other)).status).to.equal(200);
    expect((await remove(id)).status).to.equal(200);
    expect((await read(id)).status).to.equal(404);
    redis.signal('SIGCONT');
    await until(async () => !(await isCached(id)), WITHIN);
    expect((await read(id)).status).to.equal(404);
    expect((await read(other)).status).to.equal(200);
  });
});
