import { expect } from 'chai';
import { CoreError } from '../../../core/index.ts';
import { ask, JSON_TYPE, post, SECRET, type Started, startApp, testRoute } from './start-app.ts';

const body = { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] } as const;
const email = (name: string) => JSON.stringify({ email: name });
const PROXY = ['127.0.0.1'];
const from = (address: string) => ({ ...JSON_TYPE, 'X-Forwarded-For': address });

describe('A rate-limited request', () => {
  let app: Started;
  const routes = [
    testRoute({
      method: 'POST',
      path: '/login',
      bucket: 'login',
      body,
      countsAccount: true,
      run: async ({
        body: { email: name },
        admitAccount,
      }: {
        body: { email: string };
        admitAccount: (key: string) => Promise<void>;
      }) => {
        await admitAccount(`digest-of-${name}`);
        throw new CoreError('unauthenticated', 'wrong_credentials', 'No.');
      },
    }),
    testRoute({ method: 'POST', path: '/register', bucket: 'register', body }),
    testRoute({ path: '/health', bucket: 'health' }),
    testRoute({ path: '/api/health', bucket: 'health' }),
    testRoute({ path: '/me', access: 'bearer', bucket: 'default' }),
    testRoute({ path: '/refresh', bucket: 'default' }),
    testRoute({ path: '/internal', access: 'internal', bucket: 'default' }),
    testRoute({ path: '/ready', bucket: 'none' }),
  ];
  beforeEach(async () => {
    app = await startApp(routes, {
      trustedProxies: PROXY,
      limits: { login: 3, register: 2, health: 3, default: 2 },
      authenticate: async (token) => {
        if (token.startsWith('bad')) throw new CoreError('unauthenticated', 'invalid_token', 'No.');
        if (token === 'banned') throw new CoreError('forbidden', 'account_banned', 'Banned.');
        return { claims: { userId: token } };
      },
    });
  });
  afterEach(() => app.close());

  const me = (token: string, headers = {}) =>
    ask(`${app.url}/me`, { headers: { Authorization: `Bearer ${token}`, ...headers } });

  it('has rate-limit headers, and is refused with 429 and Retry-After beyond the limit', async () => {
    const first = await post(`${app.url}/register`, email('a'));
    expect(first.headers).to.include({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '42',
    });
    await post(`${app.url}/register`, email('b'));
    const refused = await post(`${app.url}/register`, email('c'));
    expect(refused.status).to.equal(429);
    expect(refused.body.code).to.equal('rate_limited');
    expect(refused.headers).to.include({
      'retry-after': '42',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '42',
    });
  });

  it('counts even if it is refused for another reason', async () => {
    const wrong = await post(`${app.url}/register`, '{');
    expect([wrong.status, wrong.headers['ratelimit-remaining']]).to.deep.equal([400, '1']);
    expect((await ask(`${app.url}/register`, { method: 'POST' })).status).to.equal(415);
    expect((await post(`${app.url}/register`, email('a'))).status).to.equal(429);
  });

  it('is refused before its body is read', async () => {
    for (const _ of [1, 2]) await post(`${app.url}/register`, email('a'));
    expect((await post(`${app.url}/register`, 'x'.repeat(100_000), {})).status).to.equal(429);
  });

  it('counts for its client address, hashed, and for the /64 of an IPv6 address', async () => {
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'])
      expect((await post(`${app.url}/register`, email('a'), from(address))).status).to.equal(200);
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:DB8:0:0:1::'])
      expect((await post(`${app.url}/register`, email('a'), from(address))).status, address).to.equal(429);
    expect([...app.counts.keys()]).to.deep.equal([
      'client:register hashed(192.0.2.1)',
      'client:register hashed(192.0.2.2)',
      'client:register hashed(2001:db8:0:0::/64)',
    ]);
  });

  it('counts for its account from any address, and reports the counter with fewer requests left', async () => {
    const login = (name: string, address: string) => post(`${app.url}/login`, email(name), from(address));
    const remaining = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      remaining.push((await login('ann', address)).headers['ratelimit-remaining']);
    expect(remaining).to.deep.equal(['2', '1', '0']);
    expect((await login('bob', '192.0.2.1')).headers['ratelimit-remaining']).to.equal('0');
    expect((await login('ann', '192.0.2.3')).status).to.equal(429);
    expect((await login('carl', '192.0.2.3')).status).to.equal(401);
    expect(app.counts.get('account:login digest-of-ann')).to.equal(4);
  });

  it('does not count for an account if its body is invalid', async () => {
    await post(`${app.url}/login`, '{"email":1}');
    expect([...app.counts.keys()]).to.deep.equal(['client:login hashed(127.0.0.1)']);
  });

  it('shares one limit between /health and /api/health', async () => {
    for (const path of ['/health', '/api/health', '/health'])
      expect((await ask(app.url + path)).status).to.equal(200);
    expect((await ask(`${app.url}/api/health`)).status).to.equal(429);
  });

  it('counts for its user on routes of the default bucket', async () => {
    expect((await me('ann')).headers['ratelimit-remaining']).to.equal('1');
    expect((await me('ann', from('192.0.2.9'))).status).to.equal(200);
    expect((await me('ann')).status).to.equal(429);
    expect((await me('bob')).status).to.equal(200);
    expect(app.counts.get('user:default ann')).to.equal(3);
  });

  it('counts for its client without a valid caller, and is refused with 429 instead of 401 or 403', async () => {
    expect([(await me('bad1')).status, (await me('banned')).status]).to.deep.equal([401, 403]);
    for (const token of ['bad2', 'banned']) expect((await me(token)).status).to.equal(429);
    expect((await ask(`${app.url}/refresh`)).status).to.equal(429);
    expect((await ask(`${app.url}/internal`, { headers: { 'x-internal-secret': 'guess' } })).status).to.equal(
      429,
    );
    expect((await me('ann')).status).to.equal(200);
  });

  it('is not counted with a valid internal secret or on a route without a limit', async () => {
    const headers = { 'x-internal-secret': SECRET };
    for (let round = 0; round < 4; round += 1) {
      const reply = await ask(`${app.url}/internal`, { headers });
      expect(reply.status).to.equal(200);
      expect(reply.headers).to.not.have.property('ratelimit-limit');
      expect((await post(`${app.url}/login`, email('ann'), { ...JSON_TYPE, ...headers })).status).to.equal(
        401,
      );
      expect((await ask(`${app.url}/ready`)).headers).to.not.have.property('ratelimit-limit');
    }
    expect(app.counts.size).to.equal(0);
  });

  it('reports the counter whose window ends last if both have equally many requests left', async () => {
    for (const lastBucket of ['client', 'account']) {
      const uneven = await startApp(routes, {
        limits: { login: 3, register: 2, health: 3, default: 2 },
        limiter: {
          take: async ({ name, limit }) => ({
            allowed: true,
            limit,
            remaining: 1,
            reset: name.startsWith(lastBucket) ? 50 : 10,
          }),
        },
      });
      const { headers } = await post(`${uneven.url}/login`, email('ann'));
      await uneven.close();
      expect(headers['ratelimit-reset'], lastBucket).to.equal('50');
    }
  });

  it('is refused with 503 if the limiter is unavailable', async () => {
    const { unavailable } = await import('../../../core/index.ts');
    const broken = await startApp(routes, {
      limiter: {
        take: async () => {
          throw unavailable('store_unavailable', 'Down.');
        },
      },
    });
    expect((await post(`${broken.url}/register`, email('a'))).status).to.equal(503);
    await broken.close();
  });

  it('needs a limit for its bucket, without which the server does not start', async () => {
    const outcome = await startApp(routes, { limits: {} }).catch((error) => error);
    expect(outcome).to.be.instanceOf(Error).with.property('message').that.contains('login');
  });
});
