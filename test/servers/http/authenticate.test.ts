import { expect } from 'chai';
import { CoreError, type RequiredStatus } from '../../../core/index.ts';
import { ask, SECRET, type Started, startApp, testRoute } from './start-app.ts';

const OTHER_SECRET = 'the-older-internal-secret-of-these';

describe('The caller of a route', () => {
  let app: Started;
  let tokens: [string, RequiredStatus][];
  before(async () => {
    app = await startApp(
      [
        testRoute({ path: '/open' }),
        testRoute({ path: '/bearer', access: 'bearer' }),
        testRoute({ path: '/restricted', access: 'bearer_restricted' }),
        testRoute({ path: '/internal', access: 'internal' }),
      ],
      {
        internalSecrets: [SECRET, OTHER_SECRET],
        authenticate: async (token, requiredStatus) => {
          tokens.push([token, requiredStatus]);
          if (token === 'bad') throw new CoreError('unauthenticated', 'invalid_token', 'No.');
          if (token === 'banned' && requiredStatus !== 'any')
            throw new CoreError('forbidden', 'account_banned', 'Banned.');
          return { claims: { userId: `user-of-${token}` } };
        },
      },
    );
  });
  beforeEach(() => {
    tokens = [];
  });
  after(() => app.close());

  const bearer = (path: string, authorization: string) =>
    ask(app.url + path, { headers: { Authorization: authorization } });
  const internal = (path: string, secret: string) =>
    ask(app.url + path, { headers: { 'x-internal-secret': secret } });

  it('is identified by the bearer token', async () => {
    const reply = await bearer('/bearer', 'Bearer abc.d-e_f~g+h/i==');
    expect(reply.body.principal?.claims?.userId).to.equal('user-of-abc.d-e_f~g+h/i==');
    expect(app.accessLines.at(-1)?.userId).to.equal('user-of-abc.d-e_f~g+h/i==');
  });

  it('is identified if the scheme has another case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr'])
      expect((await bearer('/bearer', `${scheme}  t`)).status).to.equal(200);
  });

  it('is refused with 401 without exactly one bearer token', async () => {
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer a b',
      'Bearer a, Bearer b',
      'Basic dXNlcjpwYXNz',
      'Bearera',
      'Bearer =a',
      'Bearer a=b',
      'a',
      'Bearer a\u00e9',
      `Bearer ${'='.repeat(9_000)}x`,
    ];
    for (const authorization of wrong) {
      const reply = await bearer('/bearer', authorization);
      expect(reply.status, authorization).to.equal(401);
      expect(reply.headers['www-authenticate']).to.match(/^Bearer/);
    }
    expect((await ask(`${app.url}/bearer?access_token=t`)).status).to.equal(401);
    expect(tokens).to.deep.equal([]);
  });

  it('is refused with 401 for an invalid token, and with 403 if restricted', async () => {
    expect((await bearer('/bearer', 'Bearer bad')).body.code).to.equal('invalid_token');
    const banned = await bearer('/bearer', 'Bearer banned');
    expect([banned.status, banned.body.code]).to.deep.equal([403, 'account_banned']);
    expect((await bearer('/restricted', 'Bearer banned')).status).to.equal(200);
    expect((await bearer('/restricted', 'Bearer bad')).status).to.equal(401);
  });

  it('is not authenticated on an open route', async () => {
    expect((await bearer('/open', 'Bearer bad')).status).to.equal(200);
    expect(tokens).to.deep.equal([]);
  });

  it('is accepted with any current internal secret, on internal routes only', async () => {
    expect((await internal('/internal', SECRET)).status).to.equal(200);
    expect((await internal('/internal', OTHER_SECRET)).status).to.equal(200);
    expect((await internal('/bearer', SECRET)).status).to.equal(401);
  });

  it('is refused with any other secret, and with a secret outside its header', async () => {
    const wrong = [
      '',
      `${SECRET}x`,
      SECRET.slice(1),
      SECRET.toUpperCase(),
      `${SECRET}, ${OTHER_SECRET}`,
      `${SECRET},${SECRET}`,
    ];
    for (const secret of wrong) {
      const reply = await internal('/internal', secret);
      expect([reply.status, reply.body.code], secret).to.deep.equal([401, 'invalid_secret']);
      expect(reply.headers['www-authenticate']).to.be.a('string');
    }
    expect((await bearer('/internal', `Bearer ${SECRET}`)).status).to.equal(401);
    expect((await ask(`${app.url}/internal?x-internal-secret=${SECRET}`)).status).to.equal(401);
  });

  it('is refused if no internal secret is configured', async () => {
    const appWithoutSecrets = await startApp([testRoute({ access: 'internal' })], { internalSecrets: [] });
    for (const secret of ['', 'undefined', SECRET])
      expect(
        (await ask(`${appWithoutSecrets.url}/thing`, { headers: { 'x-internal-secret': secret } })).status,
      ).to.equal(401);
    await appWithoutSecrets.close();
  });
});
