import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import {
  bearerToken,
  createIntrospector,
  createVerifier,
  type Fetch,
  type Introspector,
} from '../../../servers/verify/index.ts';
import { useService } from '../../support/service.ts';
import { makeJwks, refusalOf } from './jwks.ts';

const secret = randomBytes(32).toString('hex');

describe('The introspector with the value of a session cookie', () => {
  const service = useService({ INTERNAL_SECRET: secret, COOKIE_SESSIONS: 'on' });

  it('returns the owner of a valid value, and refuses another value as `invalid_token`', async () => {
    const { id, email, password } = await service().signUp();
    const headers = { 'X-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' };
    const login = await service().post('/api/auth/login', { email, password }, { headers });
    const [, value = ''] = /=([^;]+)/.exec(login.headers.getSetCookie()[0] ?? '') ?? [];
    const { introspect } = createIntrospector({ url: service().url, secret });
    expect((await introspect(value)).userId).to.equal(id);
    expect(await refusalOf(introspect(`${value.slice(0, -1)}~`))).to.have.property('code', 'invalid_token');
  });
});

describe('The introspector', () => {
  const service = useService({ INTERNAL_SECRET: secret });
  let introspector: Introspector;
  beforeEach(() => {
    // A secret that was read from a file may have a byte order mark and a line break.
    introspector = createIntrospector({ url: service().url, secret: `\uFEFF${secret}\n` });
  });
  const restrict = (act: 'ban' | 'disable', userId: string) =>
    service().composition.accounts.operate[act](userId, { reason: 'test', until: null }, { actor: 'tester' });
  it('returns the owner of a token and their entitlement', async () => {
    const { id, token } = await service().signUp();
    const { issuedAt, expiresAt, sessionId, tokenId, ...owner } = await introspector.introspect(token);
    expect(owner).to.deep.equal({
      userId: id,
      tier: 'free',
      isPremium: false,
      customStorageLimit: null,
      customApiKeyLimit: null,
    });
    const verified = await createVerifier({ issuer: service().url }).verify(token);
    expect(verified).to.deep.equal({ userId: id, issuedAt, expiresAt, sessionId, tokenId });
  });

  it('refuses a token after a logout, while the verifier still accepts it', async () => {
    const { token } = await service().signUp();
    const verifier = createVerifier({ issuer: service().url });
    await introspector.introspect(token);
    await service().post('/api/auth/logout', undefined, { token });
    const refusal = await refusalOf(introspector.introspect(token));
    expect(refusal).to.include({ code: 'invalid_token', status: 401 });
    expect((await verifier.verify(token)).userId).to.be.a('string');
  });

  it('aborts the request if a proxy refuses with a page, to free the connection', async () => {
    const proxy = makeJwks([]);
    proxy.answer = async () => new Response('A long page', { status: 503 });
    const { token } = await service().signUp();
    const refused = createIntrospector({ url: service().url, secret, fetch: proxy.fetch });
    expect((await refusalOf(refused.introspect(token))).code).to.equal('unavailable');
    expect(proxy.signal?.aborted).to.equal(true);
  });

  it('refuses malformed tokens without a request', async () => {
    const { fetch, ...jwks } = makeJwks([]);
    const offline = createIntrospector({ url: service().url, secret, fetch });
    for (const token of ['', 'x', 'a.b.c', 'A'.repeat(1_000_000)]) {
      expect((await refusalOf(offline.introspect(token))).code).to.equal('invalid_token');
    }
    expect(jwks.requests).to.equal(0);
  });

  it('refuses with the status, code and challenge of the account service', async () => {
    const { token } = await service().signUp();
    for (const authorization of [undefined, '', 'Basic YTpi', 'Bearer', 'Bearer a b', `Bearer ${token}x`]) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const answer = await service().request('GET', '/api/auth/me', { headers });
      const introspect = async () => introspector.introspect(bearerToken(authorization));
      const refusal = await refusalOf(introspect());
      expect(refusal.status, authorization).to.equal(answer.status);
      expect(refusal.code).to.equal(answer.body.code);
      expect(refusal.headers['WWW-Authenticate']).to.equal(answer.headers.get('www-authenticate'));
    }
    expect(bearerToken(`bearer  ${token}`)).to.equal(token);
    expect(() => bearerToken(null)).to.throw('An access token is needed.');
  });

  for (const [act, code] of [
    ['ban', 'account_banned'],
    ['disable', 'account_disabled'],
  ] as const) {
    it(`refuses the owner after ${act} with the code of the account service`, async () => {
      const { id, token } = await service().signUp();
      await restrict(act, id);
      const refusal = await refusalOf(introspector.introspect(token));
      expect(refusal).to.include({ code, status: 403 });
      const { status, body } = await service().request('PATCH', '/api/auth/me', { token, body: {} });
      expect([status, body.code]).to.deep.equal([403, code]);
    });
  }

  it('fails with `unavailable` if its secret or its address is wrong', async () => {
    const { token } = await service().signUp();
    const wrong = createIntrospector({ url: service().url, secret: `${secret}x` });
    const { code, message } = await refusalOf(wrong.introspect(token));
    expect({ code, message }).to.deep.equal({
      code: 'unavailable',
      message: 'The account service cannot be asked. The answer is 401.',
    });
    const elsewhere = createIntrospector({ url: service().metadataUrl, secret });
    expect((await refusalOf(elsewhere.introspect(token))).code).to.equal('unavailable');
  });

  it('does not follow redirects, so that the secret stays at its address', async () => {
    const { token } = await service().signUp();
    const requestedPaths: string[] = [];
    const server = createServer((req, res) => {
      requestedPaths.push(req.url ?? '');
      res.writeHead(307, { Location: '/elsewhere' }).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const redirected = createIntrospector({ url: `http://127.0.0.1:${port}`, secret });
    expect((await refusalOf(redirected.introspect(token))).code).to.equal('unavailable');
    expect(requestedPaths).to.deep.equal(['/api/auth/introspect']);
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  it('throws a `TypeError` without the secret if its url or secret is missing or malformed', () => {
    expect(() => createIntrospector({ url: '', secret })).to.throw(TypeError, /^url must be an address/);
    const options = { url: service().url } as unknown as { url: string; secret: string };
    expect(() => createIntrospector(options)).to.throw(TypeError, /^secret must be/);
    for (const wrong of ['', `${secret},${secret}`, `${secret}\n${secret}`, `${secret}–`])
      expect(() => createIntrospector({ ...options, secret: wrong }))
        .to.throw(TypeError, /^secret must be/)
        .with.property('message')
        .that.does.not.include(secret);
  });

  describe('with other answers of the service', () => {
    let token: string;
    before(async () => {
      token = (await service().signUp()).token;
    });
    const active = {
      ...{ active: true, sub: 'u', sid: 's', jti: 't', iat: 1, exp: 2, tier: 'free', isPremium: false },
      ...{ banned: false, disabled: false, customStorageLimit: null, customApiKeyLimit: 5 },
    };
    const refusalWith = (fetch: Fetch, options: { readonly audience?: string } = {}) =>
      refusalOf(createIntrospector({ url: service().url, secret, fetch, ...options }).introspect(token));

    it('fails with `unavailable` and a Retry-After for answers it cannot use', async () => {
      const answers: readonly (readonly [() => Response, number])[] = [
        [() => new Response('busy', { status: 503, headers: { 'Retry-After': '7' } }), 7],
        [() => new Response('busy', { status: 503, headers: { 'Retry-After': 'tomorrow' } }), 1],
        [() => new Response('busy', { status: 503, headers: { 'Retry-After': '-7' } }), 1],
        [() => new Response(null, { status: 307, headers: { Location: 'https://evil.test/' } }), 1],
        [() => new Response('<html>'), 1],
        [() => Response.json(null), 1],
        [() => Response.json({ active: 'true' }), 1],
        [() => Response.json({ ...active, sub: undefined }), 1],
        [() => Response.json({ ...active, banned: undefined }), 1],
        [() => Response.json({ ...active, customApiKeyLimit: 'none' }), 1],
      ];
      for (const [answer, retryAfter] of answers)
        for (const options of [{}, { audience: 'files' }]) {
          const refusal = await refusalWith(async () => answer(), options);
          expect(refusal, String(answer)).to.include({ code: 'unavailable', status: 503, retryAfter });
          expect(refusal.headers).to.deep.equal({ 'Retry-After': String(retryAfter) });
        }
      expect((await refusalWith(() => Promise.reject(new Error('down')))).message).to.match(/down$/);
      expect((await refusalWith(async () => Response.json({ active: false }))).code).to.equal(
        'invalid_token',
      );
    });

    it('accepts an answer with all required members', async () => {
      const fetch = async () => Response.json(active);
      const owner = await createIntrospector({ url: service().url, secret, fetch }).introspect(token);
      expect(owner).to.include({ userId: 'u', sessionId: 's', tier: 'free', customApiKeyLimit: 5 });
    });

    it('fails with `unavailable` after 3 s without an answer', async () => {
      const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const refused = refusalWith(() => new Promise(() => undefined));
        await clock.tickAsync(3_000);
        expect(await refused).to.include({ code: 'unavailable', retryAfter: 1 });
      } finally {
        clock.restore();
      }
    });
  });
});
