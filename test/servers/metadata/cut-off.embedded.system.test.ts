import { expect } from 'chai';
import { canStartRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { ask, openTestService, type TestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from './client.ts';

describe('A process without a connection to Redis', () => {
  const folder = useTempFolder();
  let redis: RedisServer;
  let proxy: TcpProxy;
  let disconnected: TestService;
  let other: TestService;
  let raises: number;

  before(function () {
    if (!canStartRedis()) this.skip();
  });
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startTcpProxy(redis.port);
    raises = 0;
    const cacheGeneration = {
      read: async () => raises + 1,
      raise: async () => {
        raises += 1;
        return raises + 1;
      },
    };
    const open = (port: number) =>
      openTestService({ REDIS_URL: `redis://127.0.0.1:${port}` }, folder(), { store: { cacheGeneration } });
    disconnected = await open(proxy.port);
    other = await open(redis.port);
  });
  afterEach(async () => {
    await disconnected?.close();
    await other?.close();
    await proxy?.close();
    await redis?.end();
  });

  const downOf = async ({ metadataUrl }: TestService) =>
    (await ask(metadataUrl, 'GET', '/health')).body.down as unknown as readonly string[] | undefined;

  it('empties the cache of other processes at most once a second during deletions, and reports it as down', async () => {
    const client = makeClient(other.metadataUrl);
    const ids = await client.createSome('user', 20);
    for (const id of ids) await client.read(id);
    proxy.hold();
    const startMs = performance.now();
    const { remove } = makeClient(disconnected.metadataUrl);
    for (let from = 0; from < ids.length; from += 5) {
      const replies = await Promise.all(ids.slice(from, from + 5).map(remove));
      for (const { status } of replies) expect(status).to.equal(200);
    }
    expect(raises).to.be.within(1, 1 + Math.ceil((performance.now() - startMs) / 1_000));
    for (const service of [disconnected, other]) {
      await until(async () => (await downOf(service))?.includes('cache_epoch') === true);
    }
    const isDeleted = async (id: string) => (await client.read(id)).status === 404;
    await until(async () => (await Promise.all(ids.map(isDeleted))).every(Boolean));

    proxy.release();
    await until(async () => (await downOf(other)) === undefined);
    await until(async () => (await downOf(disconnected)) === undefined);
    expect(await downOf(disconnected)).to.equal(undefined);
  });
});
