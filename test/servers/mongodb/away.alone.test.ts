import { expect } from 'chai';
import { type Ask, ask, type Reply } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';
import { useServiceOnMongo } from './behind-proxy.ts';

/**
 * Milliseconds within which a caller hears that the store is away, and within which it is found again: a few times the
 * deadline of a call, which is 3 s, since the machine may have other work.
 */
const HEARD = 10_000;
const FOUND = 10_000;
/** What needs no store waits for none of its deadlines. */
const AT_ONCE = 2_500;

describe('A service whose MongoDB is away or slow', () => {
  const on = useServiceOnMongo();

  // One that fails leaves no trouble to the next.
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
    const began = performance.now();
    const reply = await call();
    return { ...reply, took: performance.now() - began };
  };

  /** One call of each kind that needs the store. */
  const calls = (token: string): readonly (() => Promise<Reply>)[] => {
    const { service } = on();
    const client = makeClient(service.metadataUrl);
    const post = (path: string, body: Ask['body']) => () => service.post(`/api/auth/${path}`, body);
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

  const expectAway = async (token: string) => {
    // More at once than there are connections, as when many clients go on calling.
    const all = Array.from({ length: 5 }, () => calls(token)).flat();
    for (const [place, reply] of (await Promise.all(all.map(timed))).entries()) {
      const { status, headers, body, took } = reply;
      const shown = `call ${place % calls(token).length}: ${status} ${JSON.stringify(body)}`;
      expect(status, shown).to.equal(503);
      expect(Number(headers.get('retry-after')), shown).to.be.within(1, 5);
      expect(body.code ?? body.error, shown).to.be.oneOf(['store_unavailable', 'unavailable']);
      expect(shown).not.to.match(/mongo|127\.0\.0\.1/i);
      expect(took, shown).to.be.lessThan(HEARD);
    }
  };

  /** What needs no store goes on, as fast as ever. */
  const expectOthersWell = async () => {
    const { url } = on().service;
    const keys = await timed(() => ask(url, 'GET', '/.well-known/jwks.json'));
    expect(keys.status).to.equal(200);
    expect(keys.took).to.be.lessThan(AT_ONCE);
    const unknown = await timed(() => ask(url, 'POST', '/api/auth/login', { body: {} }));
    expect(unknown.status).to.equal(400);
    expect(unknown.took).to.be.lessThan(AT_ONCE);
    // What health found is kept for a second.
    await until(async () => (await ask(url, 'GET', '/health/ready')).status === 503);
    const health = await timed(() => ask(url, 'GET', '/health'));
    expect(health).to.include({ status: 200 });
    expect(health.body).to.include({ status: 'degraded' });
    // The generation of the cache is kept in the store, and is missed where it was read meanwhile.
    expect(health.body.down).to.include('store');
    expect(['store', 'cache_epoch']).to.include.members(health.body.down as unknown as string[]);
  };

  const expectFound = async (token: string) => {
    const began = performance.now();
    const me = () => on().service.request('GET', '/api/auth/me', { token });
    await until(async () => (await me()).status === 200);
    expect(performance.now() - began).to.be.lessThan(FOUND);
    await until(async () => (await on().service.request('GET', '/health/ready')).status === 200);
  };

  it('says so in time while it is down, and finds it again', async () => {
    const { mongo, service } = on();
    const { token } = await service.signUp();
    await mongo.kill();
    await Promise.all([expectAway(token), expectOthersWell()]);
    await expectAway(token);
    await mongo.start();
    await expectFound(token);
  });

  it('says so in time while nothing comes back, not even an end, and finds it again', async () => {
    const { proxy, service } = on();
    const { token } = await service.signUp();
    proxy.hold();
    await Promise.all([expectAway(token), expectOthersWell()]);
    await expectAway(token);
    proxy.cut();
    proxy.release();
    await expectFound(token);
  });

  it('says so at the deadline while each answer takes five seconds, and finds it again', async () => {
    const { proxy, service } = on();
    const { token } = await service.signUp();
    proxy.delay(5_000);
    await Promise.all([expectAway(token), expectOthersWell()]);
    proxy.delay(0);
    await expectFound(token);
  });

  it('serves whatever does not wait for the command that is slow', async () => {
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
    // Of a number of them, background work could use up some.
    await failPoint('alwaysOn');
    const slow = Promise.all(Array.from({ length: 5 }, () => timed(() => client.create({ user: 'slow' }))));
    const others = Promise.all(
      Array.from({ length: 20 }, () => timed(() => service.request('GET', '/api/auth/me', { token }))),
    );
    for (const { status, took } of await others) {
      expect(status).to.equal(200);
      expect(took).to.be.lessThan(AT_ONCE);
    }
    for (const { status, took } of await slow) {
      expect(status).to.equal(503);
      expect(took).to.be.lessThan(HEARD);
    }
    await failPoint('off');
    await admin.close();
  });
});
