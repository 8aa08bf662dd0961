import { expect } from 'chai';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { useService } from '../../../support/service.ts';

describe('The signing keys of access tokens', () => {
  const service = useService({ TOKEN_AUDIENCE: 'drop' });
  const fetchKeys = async () => {
    const { body, headers, status } = await service().request('GET', '/.well-known/jwks.json');
    return { set: body as unknown as JSONWebKeySet, headers, status };
  };

  it('are published without their private parts, in a cacheable reply', async () => {
    const { set, headers, status } = await fetchKeys();

    expect(status).to.equal(200);
    expect(set.keys).to.have.length(1);
    expect(set.keys[0]).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'alg', 'use');
    expect(set.keys[0]).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(headers.get('cache-control')).to.match(/^public, max-age=\d+$/);
  });

  it('verify a token with its issuer, audience, type and lifetime', async () => {
    const user = await service().signUp();
    const { set } = await fetchKeys();
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
