import { type MongoProxy, startMongoProxy } from '../../support/servers/mongo-proxy.ts';
import { canStartMongo, type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

/** Both services on MongoDB, with a line to it that fails as a test wants. */
export interface OnMongo {
  readonly mongo: MongoServer;
  readonly proxy: MongoProxy;
  readonly service: TestService;
}

/** One for all tests of the suite that calls this; left out where no server of the test's own can be started. */
export const useServiceOnMongo = (settings: Readonly<Record<string, string>> = {}): (() => OnMongo) => {
  let mongo: MongoServer | undefined;
  let proxy: MongoProxy | undefined;
  let service: TestService | undefined;

  before(async function () {
    if (!canStartMongo()) this.skip();
    mongo = await startMongo();
    proxy = await startMongoProxy(mongo.port);
    service = await openTestService({ MONGODB_URL: proxy.url('faults'), ...settings });
  });

  after(async () => {
    await service?.close();
    await proxy?.close();
    await mongo?.end();
  });

  return () => {
    if (mongo === undefined || proxy === undefined || service === undefined)
      throw new Error('The service is not open yet.');
    return { mongo, proxy, service };
  };
};
