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
});
