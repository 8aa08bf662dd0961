import { join } from 'node:path';
import { expect } from 'chai';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { changeSecretFile } from '../../../../adapters/files/create-or-replace-secret-file.ts';
import { parseSigningKeySet, rotateSigningKeys } from '../../../../adapters/jwt/signing-keys.ts';
import { useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { logInAgain, me } from '../second-factor/factor.ts';

const MINUTE = 60_000;

describe('The keys that access tokens are signed with', () => {
  const service = useService({ TOKEN_AUDIENCE: 'drop' });
  const published = async () => {
    const { body, headers, status } = await service().request('GET', '/.well-known/jwks.json');
    return { set: body as unknown as JSONWebKeySet, headers, status };
  };
  const kids = async () => (await published()).set.keys.map(({ kid }) => kid);
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const rotate = async () => {
    const before = (await kids()).length;
    await changeSecretFile(join(service().folder, 'keys/signing.json'), (text) =>
      JSON.stringify(
        rotateSigningKeys(parseSigningKeySet(text), service().clock.now(), {
          tokenSeconds: 900,
          delaySeconds: 600,
        }),
      ),
    );
    await until(async () => (await kids()).length > before);
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

  it('are two during a rotation: the new one signs after 10 minutes, the old one’s tokens live on', async () => {
    const user = await service().signUp();
    const [old] = await kids();
    await rotate();
    const [, made] = await kids();
    expect(await kids()).to.deep.equal([old, made]);

    service().clock.advance(9 * MINUTE);
    const early = await logInAgain(service(), user);
    expect(kidOf(early.token)).to.equal(old);
    expect(await me(service(), user.token)).to.equal(200);

    service().clock.advance(MINUTE);
    const late = await logInAgain(service(), user);
    expect(kidOf(late.token)).to.equal(made);
    for (const { token } of [user, early, late]) expect(await me(service(), token)).to.equal(200);
    const { body } = await service().post('/api/auth/refresh', { refreshToken: user.refreshToken });
    expect(kidOf(String(body.token))).to.equal(made);

    service().clock.advance(14 * MINUTE);
    expect(await me(service(), early.token)).to.equal(401, 'its own end');
    expect(await kids()).to.deep.equal([old, made]);
    service().clock.advance(11 * MINUTE);
    expect(await kids()).to.deep.equal([made], 'life of the tokens and 10 minutes later');
  });
});

describe('A token signed with a key that is not in the set any more', () => {
  const service = useService();

  it('is refused within a second', async () => {
    const file = join(service().folder, 'keys/signing.json');
    const user = await service().signUp();
    expect(await me(service(), user.token)).to.equal(200);
    await changeSecretFile(file, (text) => {
      const { keys } = rotateSigningKeys(parseSigningKeySet(text), service().clock.now(), {
        tokenSeconds: 0,
        delaySeconds: 0,
      });
      return JSON.stringify({ keys: keys.slice(-1) });
    });

    await until(async () => (await me(service(), user.token)) === 401);
    expect(await me(service(), (await logInAgain(service(), user)).token)).to.equal(200);
  });
});
