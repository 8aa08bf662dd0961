import { type MongoProxy, startMongoProxy } from '../../support/servers/mongo-proxy.ts';
import { canStartMongo, type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { openTestService, type TestService, type User } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Both services on MongoDB, behind a proxy with which a test causes failures. */
export interface OnMongo {
  readonly mongo: MongoServer;
  readonly proxy: MongoProxy;
  readonly service: TestService;
}

/** Opens one service for all tests of the suite; skips the suite if MongoDB cannot be started. */
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

/**
 * Verifies an email that was registered twice, with the code of the newest mail. The mail of the first registration may
 * arrive as well, and five wrong codes invalidate the right one, so each code is tried once.
 */
export const verifyByNewestMail = async (
  service: TestService,
  { email, password }: Pick<User, 'email' | 'password'>,
): Promise<void> => {
  const tried = new Set<string>();
  await until(async () => {
    const text = service.mails.findLast(({ to }) => to === email)?.text ?? '';
    const code = /\b\d{6}\b/.exec(text)?.[0];
    if (code === undefined || tried.has(code)) return false;
    tried.add(code);
    return (await service.post('/api/auth/verify-email', { email, password, code })).status === 200;
  });
};
