import { expect } from 'chai';
import { CoreError, type RequiredStatus } from '../../../core/index.ts';
import { ask, SECRET, type Started, startApp, testRoute } from './start-app.ts';

const OTHER_SECRET = 'the-older-internal-secret-of-these';

describe('Who may call', () => {
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
        authenticate: async (token, standing) => {
          tokens.push([token, standing]);
          if (token === 'bad') throw new CoreError('unauthenticated', 'invalid_token', 'No.');
          if (token === 'banned' && standing !== 'any')
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

  it('is known to the route by the token', async () => {
    const reply = await bearer('/bearer', 'Bearer abc.d-e_f~g+h/i==');
    expect(reply.body.who?.claims?.userId).to.equal('user-of-abc.d-e_f~g+h/i==');
    expect(app.accessLines.at(-1)?.userId).to.equal('user-of-abc.d-e_f~g+h/i==');
  });

  it('is read with the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr'])
      expect((await bearer('/bearer', `${scheme}  t`)).status).to.equal(200);
  });

  it('is nobody without exactly one bearer token', async () => {
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

  it('is refused as 401 with a bad token, as 403 when restricted', async () => {
    expect((await bearer('/bearer', 'Bearer bad')).body.code).to.equal('invalid_token');
    const banned = await bearer('/bearer', 'Bearer banned');
    expect([banned.status, banned.body.code]).to.deep.equal([403, 'account_banned']);
    expect((await bearer('/restricted', 'Bearer banned')).status).to.equal(200);
    expect((await bearer('/restricted', 'Bearer bad')).status).to.equal(401);
  });

  it('does not matter on an open route', async () => {
    expect((await bearer('/open', 'Bearer bad')).status).to.equal(200);
    expect(tokens).to.deep.equal([]);
  });

  it('is whoever has a live value of the internal secret, on internal routes alone', async () => {
    expect((await internal('/internal', SECRET)).status).to.equal(200);
    expect((await internal('/internal', OTHER_SECRET)).status).to.equal(200);
    expect((await internal('/bearer', SECRET)).status).to.equal(401);
  });

  it('is refused with any other value of the secret, wherever it stands', async () => {
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

  it('is nobody when there is no secret to have', async () => {
    const bare = await startApp([testRoute({ access: 'internal' })], { internalSecrets: [] });
    for (const secret of ['', 'undefined', SECRET])
      expect((await ask(`${bare.url}/thing`, { headers: { 'x-internal-secret': secret } })).status).to.equal(
        401,
      );
    await bare.close();
  });
});
