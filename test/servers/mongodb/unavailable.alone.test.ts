import { expect } from 'chai';
import { ask, type Reply, type RequestOptions } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';
import { useServiceOnMongo } from './behind-proxy.ts';

/**
 * Milliseconds until a call must fail, and until the store must be available again: a few times the deadline of a call,
 * which is 3 s, because the machine may be busy.
 */
const FAILURE_MS = 10_000;
const RECOVERY_MS = 10_000;
/** Milliseconds for calls that do not need the store and must not wait for its deadlines. */
const INDEPENDENT_MS = 2_500;

describe('A service with an unavailable or slow MongoDB', () => {
  const on = useServiceOnMongo();

  // A failed test must not affect the next.
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    const { mongo, proxy, service } = on();
    proxy.delay(0);
    proxy.release();
    await mongo.kill();
    await mongo.start();
    await until(async () => (await service.request('GET', '/health/ready')).status === 200);
  });

  const timed = async (call: () => Promise<Reply>) => {
    const startMs = performance.now();
    const reply = await call();
    return { ...reply, durationMs: performance.now() - startMs };
  };

  /** One call of each kind that needs the store. */
  const calls = (token: string): readonly (() => Promise<Reply>)[] => {
    const { service } = on();
    const client = makeClient(service.metadataUrl);
    const post = (path: string, body: RequestOptions['body']) => () =>
      service.post(`/api/auth/${path}`, body);
    return [
      post('register', { email: 'away@example.com', password: 'correct horse battery' }),
      post('login', { email: 'away@example.com', password: 'correct horse battery' }),
      () => service.request('GET', '/api/auth/me', { token }),
      () => client.create({ user: 'away' }),
      () => client.list('away'),
      () => client.read('0190a1b2-0000-7000-8000-000000000001'),
      () => client.remove('0190a1b2-0000-7000-8000-000000000001'),
    ];
  };

  const expectUnavailable = async (token: string) => {
    // More simultaneous calls than connections.
    const all = Array.from({ length: 5 }, () => calls(token)).flat();
    for (const [place, reply] of (await Promise.all(all.map(timed))).entries()) {
      const { status, headers, body, durationMs } = reply;
      const message = `call ${place % calls(token).length}: ${status} ${JSON.stringify(body)}`;
      expect(status, message).to.equal(503);
      expect(Number(headers.get('retry-after')), message).to.be.within(1, 5);
      expect(body.code ?? body.error, message).to.be.oneOf(['store_unavailable', 'unavailable']);
      expect(message).not.to.match(/mongo|127\.0\.0\.1/i);
      expect(durationMs, message).to.be.lessThan(FAILURE_MS);
    }
  };

  /** Calls that do not need the store still work without delay. */
  const expectOthersWork = async () => {
    const { url } = on().service;
    const keys = await timed(() => ask(url, 'GET', '/.well-known/jwks.json'));
    expect(keys.status).to.equal(200);
    expect(keys.durationMs).to.be.lessThan(INDEPENDENT_MS);
    const unknown = await timed(() => ask(url, 'POST', '/api/auth/login', { body: {} }));
    expect(unknown.status).to.equal(400);
    expect(unknown.durationMs).to.be.lessThan(INDEPENDENT_MS);
    // The result of a health check is cached for a second.
    await until(async () => (await ask(url, 'GET', '/health/ready')).status === 503);
    const health = await timed(() => ask(url, 'GET', '/health'));
    expect(health).to.include({ status: 200 });
    expect(health.body).to.include({ status: 'degraded' });
    // The cache generation is in the store, so it is down as well if it was read meanwhile.
    expect(health.body.down).to.include('store');
    expect(['store', 'cache_epoch']).to.include.members(health.body.down as unknown as string[]);
  };

  const expectRecovery = async (token: string) => {
    const startMs = performance.now();
    const me = () => on().service.request('GET', '/api/auth/me', { token });
    await until(async () => (await me()).status === 200);
    expect(performance.now() - startMs).to.be.lessThan(RECOVERY_MS);
    await until(async () => (await on().service.request('GET', '/health/ready')).status === 200);
  };

  it('answers 503 in time while MongoDB is down, and recovers', async () => {
    const { mongo, service } = on();
    const { token } = await service.signUp();
    await mongo.kill();
    await Promise.all([expectUnavailable(token), expectOthersWork()]);
    await expectUnavailable(token);
    await mongo.start();
    await expectRecovery(token);
  });

  it('answers 503 in time while MongoDB sends nothing, not even a FIN, and recovers', async () => {
    const { proxy, service } = on();
    const { token } = await service.signUp();
    proxy.hold();
    await Promise.all([expectUnavailable(token), expectOthersWork()]);
    await expectUnavailable(token);
    proxy.cut();
    proxy.release();
    await expectRecovery(token);
  });

  it('answers 503 at the deadline while each reply of MongoDB takes five seconds, and recovers', async () => {
    const { proxy, service } = on();
    const { token } = await service.signUp();
    proxy.delay(5_000);
    await Promise.all([expectUnavailable(token), expectOthersWork()]);
    proxy.delay(0);
    await expectRecovery(token);
  });

  it('serves calls that do not need a slow command', async () => {
    const { mongo, service } = on();
    const { token } = await service.signUp();
    const client = makeClient(service.metadataUrl);
    const { MongoClient } = await import('mongodb');
    const admin = await new MongoClient(mongo.url('admin')).connect();
    const failPoint = (mode: unknown) =>
      admin.db('admin').command({
        configureFailPoint: 'failCommand',
        mode,
        data: { failCommands: ['insert'], blockConnection: true, blockTimeMS: 3_400 },
      });
    // With a limited number, background work could use up some failures.
    await failPoint('alwaysOn');
    const slow = Promise.all(Array.from({ length: 5 }, () => timed(() => client.create({ user: 'slow' }))));
    const others = Promise.all(
      Array.from({ length: 20 }, () => timed(() => service.request('GET', '/api/auth/me', { token }))),
    );
    for (const { status, durationMs } of await others) {
      expect(status).to.equal(200);
      expect(durationMs).to.be.lessThan(INDEPENDENT_MS);
    }
    for (const { status, durationMs } of await slow) {
      expect(status).to.equal(503);
      expect(durationMs).to.be.lessThan(FAILURE_MS);
    }
    await failPoint('off');
    await admin.close();
  });
});
