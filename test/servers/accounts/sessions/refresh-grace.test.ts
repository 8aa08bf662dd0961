import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { me } from '../second-factor/factor.ts';

describe('With REFRESH_GRACE_SECONDS a refresh token used again', () => {
  const service = useService({ REFRESH_GRACE_SECONDS: '30' });
  before(() => service().clock.stop());
  const refresh = (refreshToken: string) => service().post('/api/auth/refresh', { refreshToken });

  it('gets the same successor, and a good access token with it', async () => {
    const user = await service().signUp();
    const first = await refresh(user.refreshToken);
    service().clock.advance(29_000);
    const again = await refresh(user.refreshToken);

    expect(first.status).to.equal(200);
    expect(again.status).to.equal(200);
    expect(again.body).to.have.all.keys('token', 'refreshToken');
    expect(again.body.refreshToken).to.equal(first.body.refreshToken);
    expect(await me(service(), String(again.body.token))).to.equal(200);
    expect((await refresh(String(first.body.refreshToken))).status).to.equal(200);
  });

  it('gets nothing once that successor is used', async () => {
    const user = await service().signUp();
    const first = await refresh(user.refreshToken);
    const second = await refresh(String(first.body.refreshToken));

    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect((await refresh(String(second.body.refreshToken))).status).to.equal(200);
  });

  it('ends the session when the time is over', async () => {
    const user = await service().signUp();
    const first = await refresh(user.refreshToken);
    service().clock.advance(30_001);

    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect((await refresh(String(first.body.refreshToken))).status).to.equal(401);
  });

  it('ends the session when the clock was set back since, by which the time would never be over', async () => {
    const user = await service().signUp();
    service().clock.advance(3_600_000);
    const first = await refresh(user.refreshToken);
    service().clock.advance(-3_600_000);

    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect((await refresh(String(first.body.refreshToken))).status).to.equal(401);
  });

  it('gets the same successor from a process whose clock is a little behind', async () => {
    const user = await service().signUp();
    const first = await refresh(user.refreshToken);
    service().clock.advance(-20_000);
    const again = await refresh(user.refreshToken);
    service().clock.advance(20_000);

    expect(again.body.refreshToken).to.equal(first.body.refreshToken);
  });

  it('gets nothing when its session is over', async () => {
    const user = await service().signUp();
    await refresh(user.refreshToken);
    await service().post('/api/auth/logout', undefined, { token: user.token });

    expect((await refresh(user.refreshToken)).status).to.equal(401);
  });

  it('gives no two generations that are alike', async () => {
    let { refreshToken } = await service().signUp();
    const seen = new Set([refreshToken]);
    for (let time = 0; time < 5; time += 1) {
      refreshToken = String((await refresh(refreshToken)).body.refreshToken);
      seen.add(refreshToken);
    }

    expect(seen.size).to.equal(6);
  });
});
