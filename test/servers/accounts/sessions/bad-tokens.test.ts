import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { accountRoutes } from '../../../../servers/accounts/routes.ts';
import { byEcdsa, byHmac, byNobody, mint } from '../../../adapters/jwt/minting.ts';
import { type User, useService } from '../../../support/service.ts';
import { plain, sampleBody } from '../../wrong-values.ts';
import { me } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';

/** Another id, whatever this one ends with. */
const otherThan = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');

const parsed = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('Tokens that no route takes', () => {
  const service = useService();
  const stores = useStores(service);
  let user: User;
  before(async () => {
    user = await service().signUp();
    await stores().settled();
  });

  const routesOf = (...kinds: readonly string[]) =>
    accountRoutes(service().composition.accounts)
      .map(plain)
      .filter(({ access }) => kinds.includes(access));

  /** The service's own key and the parts of a token of its own, to make tokens that are wrong in one point. */
  const readOwn = () => {
    const file = JSON.parse(readFileSync(join(service().folder, 'keys/signing.json'), 'utf8'));
    const [header, claims] = user.token.split('.', 2).map(parsed);
    return { key: createPrivateKey({ key: file.keys[0], format: 'jwk' }), header, claims };
  };

  const forge = (): Readonly<Record<string, string>> => {
    const { key, header, claims } = readOwn();
    const [ours, foreignKey] = [byEcdsa(key), generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey];
    const foreign = byEcdsa(foreignKey);
    const publicKey = createPublicKey(key);
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const jwk = createPublicKey(foreignKey).export({ format: 'jwk' });
    const seconds = Math.floor(service().clock.now() / 1000);
    const { sid, ...sessionless } = claims;
    const [head = '', body = '', signature = ''] = user.token.split('.');
    return {
      'alg none': mint({ ...header, alg: 'none' }, claims, byNobody),
      'no signature': `${head}.${body}.`,
      'HS256 under our public key': mint({ ...header, alg: 'HS256' }, claims, byHmac(pem)),
      'a foreign key': mint(header, claims, foreign),
      'an embedded jwk': mint({ ...header, jwk }, claims, foreign),
      'an embedded jwk and no kid': mint({ alg: 'ES256', typ: 'at+jwt', jwk }, claims, foreign),
      jku: mint({ ...header, jku: 'https://evil.example/jwks.json' }, claims, foreign),
      'a kid that is a path': mint({ ...header, kid: '../../../../dev/null' }, claims, byHmac('')),
      'another aud': mint(header, { ...claims, aud: 'other' }, ours),
      'another iss': mint(header, { ...claims, iss: 'https://evil.example' }, ours),
      'typ JWT': mint({ ...header, typ: 'JWT' }, claims, ours),
      'an exp that is past': mint(header, { ...claims, iat: seconds - 1_000, exp: seconds - 1 }, ours),
      'no exp': mint(header, { ...claims, exp: undefined }, ours),
      'an iat ahead': mint(header, { ...claims, iat: seconds + 3_600, exp: seconds + 7_200 }, ours),
      'no sid': mint(header, sessionless, ours),
      'the sid of nobody': mint(header, { ...claims, sid: otherThan(sid) }, ours),
      'another sub': mint(header, { ...claims, sub: otherThan(claims.sub) }, ours),
      'an operator object as sub': mint(header, { ...claims, sub: { $ne: '' } }, ours),
      'other claims under a good signature': `${head}.${Buffer.from(
        JSON.stringify({ ...claims, exp: claims.exp + 1 }),
      ).toString('base64url')}.${signature}`,
      padding: `${user.token}=`,
      'a refresh token': user.refreshToken,
      garbage: 'garbage',
    };
  };

  it('are refused with 401 by every route that asks for one, which does nothing', async () => {
    const { key, header, claims } = readOwn();
    expect(await me(service(), mint(header, claims, byEcdsa(key))), 'a good one').to.equal(200);

    const headers = {
      ...Object.fromEntries(Object.entries(forge()).map(([what, token]) => [what, `Bearer ${token}`])),
      'no token': undefined,
      'an empty token': 'Bearer ',
      'two tokens': `Bearer ${user.token} ${user.token}`,
      'another scheme': `Basic ${user.token}`,
      'no scheme': user.token,
    };
    const routes = routesOf('bearer', 'bearer_restricted', 'operator');
    expect(routes.length).to.be.greaterThan(5);
    const wrong: string[] = [];
    for (const { method, path, body: schema } of routes) {
      for (const [what, Authorization] of Object.entries(headers)) {
        const reply = await service().request(method, path.replace(/\{\w+\}/g, 'x'), {
          ...(schema === undefined ? {} : { body: sampleBody(schema) }),
          headers: Authorization === undefined ? {} : { Authorization },
        });
        const challenge = reply.headers.get('www-authenticate');
        const isRight =
          reply.status === 401 &&
          reply.body.code?.toString() === 'invalid_token' &&
          challenge === (Authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
        if (!isRight) wrong.push(`${method} ${path} with ${what}: ${reply.status} ${challenge}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(await me(service(), user.token), 'the session is as it was').to.equal(200);
    expect(JSON.stringify(service().log.lines)).not.to.include('http.failed');
  });

  it('do not open what takes the internal secret alone', async () => {
    const routes = routesOf('internal');
    expect(routes).not.to.have.length(0);
    const [secret = ''] = service().composition.internalSecrets;
    for (const { method, path, body: schema } of routes) {
      for (const given of [
        '',
        ' ',
        'undefined',
        secret.slice(1),
        `${secret}x`,
        secret.toUpperCase(),
        undefined,
      ]) {
        const { status, body, headers } = await service().request(method, path, {
          token: user.token,
          ...(schema === undefined ? {} : { body: sampleBody(schema) }),
          headers: given === undefined ? {} : { 'x-internal-secret': given },
        });
        expect([status, body.code], `${path} with '${given}'`).to.deep.equal([401, 'invalid_secret']);
        expect(headers.get('www-authenticate')).to.equal('Internal-Secret');
      }
    }
  });
});
