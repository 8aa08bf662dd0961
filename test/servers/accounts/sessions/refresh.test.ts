import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { useService } from '../../../support/service.ts';
import { logInAgain, statusOfMe } from '../second-factor/factor.ts';

const DAY = 86_400_000;

describe('A session refresh', () => {
  const service = useService();
  const refresh = (refreshToken: unknown) => service().post('/api/auth/refresh', { refreshToken });

  it('returns a new pair of tokens in its session, also after the access token has expired', async () => {
    const user = await service().signUp();
    service().clock.advance(DAY);
    expect(await statusOfMe(service(), user.token)).to.equal(401);
    const { status, body } = await refresh(user.refreshToken);
    const [before, after] = [decodeJwt(user.token), decodeJwt(String(body.token))];

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('token', 'refreshToken');
    expect(body.refreshToken).not.to.equal(user.refreshToken);
    expect(await statusOfMe(service(), String(body.token))).to.equal(200);
    expect(after.sid).to.equal(before.sid);
    expect(after.jti).not.to.equal(before.jti);
    expect(Number(after.exp)).to.be.at.least(Number(before.exp) + DAY / 1000);
  });

  it('accepts each refresh token once', async () => {
    const { refreshToken } = await service().signUp();
    await refresh(refreshToken);
    const { status, body, headers } = await refresh(refreshToken);

    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_refresh_token');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });
});

describe('A session refresh with limits of the settings', () => {
  const service = useService({
    REFRESH_TOKEN_DAYS: '2',
    SESSION_MAX_DAYS: '3',
    ACCESS_TOKEN_SECONDS: '60',
  });
  const refresh = (refreshToken: string) => service().post('/api/auth/refresh', { refreshToken });

  it('follows REFRESH_TOKEN_DAYS, SESSION_MAX_DAYS and ACCESS_TOKEN_SECONDS', async () => {
    const user = await service().signUp();
    const otherSession = await logInAgain(service(), user);
    service().clock.advance(61_000);
    expect(await statusOfMe(service(), user.token)).to.equal(401);
    service().clock.advance(2 * DAY - 120_000);
    const { body } = await refresh(user.refreshToken);
    service().clock.advance(120_000);

    expect((await refresh(otherSession.refreshToken)).status).to.equal(401, 'two days unused');
    service().clock.advance(DAY);
    expect((await refresh(String(body.refreshToken))).status).to.equal(401, 'three days in all');
  });
});
