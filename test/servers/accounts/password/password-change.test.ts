import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn } from '../second-factor/factor.ts';

const newPassword = 'another horse battery';

describe('A password change', () => {
  const service = useService();
  const change = ({ token }: Pick<User, 'token'>, body: unknown) =>
    service().post('/api/auth/password', body, { token });

  it('requires the current password, and then the new one alone logs in', async () => {
    const user = await service().signUp();
    const { status, body } = await change(user, { currentPassword: user.password, newPassword });

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'token', 'refreshToken');
    expect(body.success).to.equal(true);
    expect((await logIn(service(), user)).status).to.equal(401);
    expect((await logIn(service(), { ...user, password: newPassword })).status).to.equal(200);
  });

  it('is refused with 401 for a wrong current password, and changes nothing', async () => {
    const user = await service().signUp();
    const { status, body } = await change(user, { currentPassword: 'a wrong one', newPassword });

    expect([status, body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect((await logIn(service(), user)).status).to.equal(200);
  });
});
