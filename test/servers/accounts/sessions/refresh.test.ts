import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { useService } from '../../../support/service.ts';
import { logInAgain, me } from '../second-factor/factor.ts';

const DAY = 86_400_000;

describe('Refreshing a session', () => {
  const service = useService();
  const refresh = (refreshToken: unknown) => service().post('/api/auth/refresh', { refreshToken });

  it('gives a new pair in the same session, also when the access token is long over', async () => {
    const user = await service().signUp();
    service().clock.advance(DAY);
    expect(await me(service(), user.token)).to.equal(401);
    const { status, body } = await refresh(user.refreshToken);
    const [before, after] = [decodeJwt(user.token), decodeJwt(String(body.token))];

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('token', 'refreshToken');
    expect(body.refreshToken).not.to.equal(user.refreshToken);
    expect(await me(service(), String(body.token))).to.equal(200);
    expect(after.sid).to.equal(before.sid);
    expect(after.jti).not.to.equal(before.jti);
    expect(Number(after.exp)).to.be.at.least(Number(before.exp) + DAY / 1000);
  });

  it('takes each token once', async () => {
    const { refreshToken } = await service().signUp();
    await refresh(refreshToken);
    const { status, body, headers } = await refresh(refreshToken);

    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_refresh_token');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });
});

describe('Refreshing with limits of one’s own', () => {
  const service = useService({
    REFRESH_TOKEN_DAYS: '2',
    SESSION_MAX_DAYS: '3',
    ACCESS_TOKEN_SECONDS: '60',
  });
  const refresh = (refreshToken: string) => service().post('/api/auth/refresh', { refreshToken });

  it('follows REFRESH_TOKEN_DAYS, SESSION_MAX_DAYS and ACCESS_TOKEN_SECONDS', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    service().clock.advance(61_000);
    expect(await me(service(), user.token)).to.equal(401);
    service().clock.advance(2 * DAY - 120_000);
    const { body } = await refresh(user.refreshToken);
    service().clock.advance(120_000);

    expect((await refresh(other.refreshToken)).status).to.equal(401, 'two days unused');
    service().clock.advance(DAY);
    expect((await refresh(String(body.refreshToken))).status).to.equal(401, 'three days in all');
  });
});
