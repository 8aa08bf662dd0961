import { expect } from 'chai';
import { canStartRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { ask, openTestService, type TestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from './client.ts';

describe('A process that is cut off from Redis', () => {
  const folder = useTempFolder();
  let redis: RedisServer;
  let proxy: TcpProxy;
  let cutOff: TestService;
  let other: TestService;
  let raised: number;

  before(function () {
    if (!canStartRedis()) this.skip();
  });
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startTcpProxy(redis.port);
    raised = 0;
    const cacheGeneration = {
      read: async () => raised + 1,
      raise: async () => {
        raised += 1;
        return raised + 1;
      },
    };
    const open = (port: number) =>
      openTestService({ REDIS_URL: `redis://127.0.0.1:${port}` }, folder(), { store: { cacheGeneration } });
    cutOff = await open(proxy.port);
    other = await open(redis.port);
  });
  afterEach(async () => {
    await cutOff?.close();
    await other?.close();
    await proxy?.close();
    await redis?.end();
  });

  const downOf = async ({ metadataUrl }: TestService) =>
    (await ask(metadataUrl, 'GET', '/health')).body.down as unknown as readonly string[] | undefined;

  it('empties the cache of the others once a second at most while it deletes, and health says so', async () => {
    const client = makeClient(other.metadataUrl);
    const ids = await client.createSome('user', 20);
    for (const id of ids) await client.read(id);
    proxy.hold();
    const began = performance.now();
    const { remove } = makeClient(cutOff.metadataUrl);
    for (let from = 0; from < ids.length; from += 5) {
      const replies = await Promise.all(ids.slice(from, from + 5).map(remove));
      for (const { status } of replies) expect(status).to.equal(200);
    }
    expect(raised).to.be.within(1, 1 + Math.ceil((performance.now() - began) / 1_000));
    for (const service of [cutOff, other]) {
      await until(async () => (await downOf(service))?.includes('cache_epoch') === true);
    }
    const gone = async (id: string) => (await client.read(id)).status === 404;
    await until(async () => (await Promise.all(ids.map(gone))).every(Boolean));

    proxy.release();
    await until(async () => (await downOf(other)) === undefined);
    await until(async () => (await downOf(cutOff)) === undefined);
    expect(await downOf(cutOff)).to.equal(undefined);
  });
});
