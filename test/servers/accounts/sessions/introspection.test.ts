import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { signUpWithFactor } from '../second-factor/factor.ts';

const PATH = '/api/auth/introspect';

describe('Introspection', () => {
  const service = useService();
  const records = useRecords(service);
  const secret = () => readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim();
  const introspect = (token: unknown) =>
    service().post(PATH, { token }, { headers: { 'x-internal-secret': secret() } });

  it('requires the internal secret', async () => {
    const { token } = await service().signUp();

    for (const headers of [
      {},
      { 'x-internal-secret': '' },
      { 'x-internal-secret': 'wrong' },
      { 'x-internal-secret': secret().slice(1) },
      { 'x-internal-secret': `${secret()},${secret()}` },
      { Authorization: `Bearer ${secret()}` },
      { Authorization: `Bearer ${token}` },
    ]) {
      const refused = await service().post(PATH, { token }, { headers });
      expect(refused.status).to.equal(401);
      expect(refused.body).to.have.all.keys('message', 'code');
      expect(refused.headers.get('www-authenticate')).to.be.a('string');
    }
  });

  it('returns the user, the session, the expiry and the rights of a token', async () => {
    const user = await service().signUp();
    const { status, body } = await introspect(user.token);
    const { sub, sid, jti, iat, exp } = decodeJwt(user.token);

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      active: true,
      sub,
      sid,
      jti,
      iat,
      exp,
      token_type: 'Bearer',
      tier: 'free',
      isPremium: false,
      banned: false,
      disabled: false,
      customStorageLimit: null,
      customApiKeyLimit: null,
    });
    expect(sub).to.equal(user.id);
  });

  it('returns `active: false` alone for any other text', async () => {
    const { token, refreshToken } = await service().signUp();
    const pending = await signUpWithFactor(service());
    const { email, password } = pending.user;
    const { body } = await service().post('/api/auth/login', { email, password });

    for (const text of ['', 'garbage', refreshToken, body.pendingToken, `${token}x`, token.slice(0, -1)]) {
      const answer = await introspect(text);
      expect(answer.status).to.equal(200);
      expect(answer.body, String(text)).to.deep.equal({ active: false });
    }
  });

  it('shows that a user was banned or disabled by another process', async () => {
    const user = await service().signUp();
    const restriction = { reason: 'spam', at: service().clock.now(), until: null };
    const expectFlags = async (isBanned: boolean, isDisabled: boolean) => {
      const { active, banned, disabled } = (await introspect(user.token)).body;
      expect([active, banned, disabled]).to.deep.equal([true, isBanned, isDisabled]);
    };
    await expectFlags(false, false);
    await records().change(user.email, { banned: restriction });
    await expectFlags(true, false);
    await records().change(user.email, { banned: null, disabled: restriction });
    await expectFlags(false, true);
  });
});
