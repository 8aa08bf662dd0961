import { expect } from 'chai';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { useService } from '../../../support/service.ts';

describe('The keys that access tokens are signed with', () => {
  const service = useService({ TOKEN_AUDIENCE: 'drop' });
  const published = async () => {
    const { body, headers, status } = await service().request('GET', '/.well-known/jwks.json');
    return { set: body as unknown as JSONWebKeySet, headers, status };
  };

  it('are published without their private halves, for everyone to keep a while', async () => {
    const { set, headers, status } = await published();

    expect(status).to.equal(200);
    expect(set.keys).to.have.length(1);
    expect(set.keys[0]).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'alg', 'use');
    expect(set.keys[0]).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(headers.get('cache-control')).to.match(/^public, max-age=\d+$/);
  });

  it('let anyone verify a token with issuer, audience, type and life', async () => {
    const user = await service().signUp();
    const { set } = await published();
    const { payload, protectedHeader } = await jwtVerify(user.token, createLocalJWKSet(set), {
      algorithms: ['ES256'],
      issuer: service().url,
      audience: 'drop',
      typ: 'at+jwt',
      currentDate: new Date(service().clock.now()),
    });

    expect(protectedHeader).to.have.all.keys('alg', 'typ', 'kid');
    expect(payload).to.have.all.keys('iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp');
    expect(payload.sub).to.equal(user.id);
    expect(Number(payload.exp) - Number(payload.iat)).to.equal(900);
  });
});
