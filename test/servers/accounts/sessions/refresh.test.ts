import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { useService } from '../../../support/service.ts';
import { logInAgain, me } from '../second-factor/factor.ts';

const DAY = 86_400_000;

describe('Refreshing a session', () => {
  const service = useService();
  const refresh = (refreshToken: unknown) => service().post('/api/auth/refresh', { refreshToken });
  const nextOf = async (refreshToken: string): Promise<string> =>
    String((await refresh(refreshToken)).body.refreshToken);

  it('gives a new pair and nothing else', async () => {
    const user = await service().signUp();
    const { status, body } = await refresh(user.refreshToken);

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('token', 'refreshToken');
    expect(body.refreshToken).not.to.equal(user.refreshToken);
    expect(await me(service(), String(body.token))).to.equal(200);
  });

  it('stays in the session: the earlier access token is good to its own end', async () => {
    const user = await service().signUp();
    service().clock.advance(DAY / 1440);
    const { body } = await refresh(user.refreshToken);
    const [before, after] = [decodeJwt(user.token), decodeJwt(String(body.token))];

    expect(after.sid).to.equal(before.sid);
    expect(after.jti).not.to.equal(before.jti);
    expect(Number(after.exp)).to.be.at.least(Number(before.exp) + 60);
    expect(await me(service(), user.token)).to.equal(200);
  });

  it('takes each token once', async () => {
    const { refreshToken } = await service().signUp();
    const next = await nextOf(refreshToken);
    const { status, body, headers } = await refresh(refreshToken);

    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_refresh_token');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
    expect((await refresh(next)).status).to.equal(200);
  });

  it('works when the access token is long over', async () => {
    const user = await service().signUp();
    service().clock.advance(DAY);

    expect(await me(service(), user.token)).to.equal(401);
    expect(await me(service(), String((await refresh(user.refreshToken)).body.token))).to.equal(200);
  });

  it('is possible for 30 days from the last time', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    service().clock.advance(30 * DAY - 60_000);
    const next = await nextOf(user.refreshToken);

    service().clock.advance(60_000);
    expect((await refresh(other.refreshToken)).status).to.equal(401, '30 days unused');
    service().clock.advance(30 * DAY - 120_000);
    expect((await refresh(next)).status).to.equal(200, 'used a minute before its end');
  });

  it('is over after 180 days, however often it was refreshed', async () => {
    let { refreshToken } = await service().signUp();
    for (let month = 0; month < 7; month += 1) {
      service().clock.advance(25 * DAY);
      refreshToken = await nextOf(refreshToken);
    }
    service().clock.advance(5 * DAY - 60_000);
    const { status, body } = await refresh(refreshToken);
    expect(status).to.equal(200);

    service().clock.advance(60_000);
    expect(await me(service(), String(body.token))).to.equal(401, 'an access token outlives no session');
    expect((await refresh(String(body.refreshToken))).status).to.equal(401);
  });

  it('refuses with 401 what is no refresh token of ours', async () => {
    const user = await service().signUp();
    const { token, refreshToken } = user;
    const [userId, sessionId, secret, mark] = refreshToken.split('.');

    for (const wrong of [
      'garbage',
      token,
      ` ${refreshToken}`,
      `${refreshToken}=`,
      `${refreshToken}.`,
      `${userId}.${sessionId}.${secret}`,
      `${userId}.${sessionId}.${secret?.slice(1)}A.${mark}`,
      `${userId}.${sessionId}.${secret}.${mark?.slice(1)}A`,
      `${sessionId}.${userId}.${secret}.${mark}`,
      refreshToken.toUpperCase(),
    ]) {
      expect((await refresh(wrong)).status, wrong).to.equal(401);
    }
    expect((await refresh(refreshToken)).status).to.equal(200, 'none of these was it');
  });

  it('refuses with 400 what is no text, or none, or too long', async () => {
    for (const wrong of [undefined, null, 7, true, {}, [], '', 'x'.repeat(5_000)]) {
      expect((await refresh(wrong)).status, JSON.stringify(wrong)).to.equal(400);
    }
  });

  it('is not stopped by the end of another session', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    await service().post('/api/auth/logout', undefined, { token: other.token });

    expect((await refresh(other.refreshToken)).status).to.equal(401);
    expect((await refresh(user.refreshToken)).status).to.equal(200);
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
