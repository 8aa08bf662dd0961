import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn, signUpWithFactor } from '../second-factor/factor.ts';

const newPassword = 'another horse battery';

describe('Changing the password', () => {
  const service = useService();
  const change = ({ token }: Pick<User, 'token'>, body: unknown) =>
    service().post('/api/auth/password', body, { token });

  it('takes the current one, and from then on only the new one logs in', async () => {
    const user = await service().signUp();
    const { status, body } = await change(user, { currentPassword: user.password, newPassword });

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'token', 'refreshToken');
    expect(body.success).to.equal(true);
    expect((await logIn(service(), user)).status).to.equal(401);
    expect((await logIn(service(), { ...user, password: newPassword })).status).to.equal(200);
  });

  it('is refused with 401 when the current one is wrong, and changes nothing', async () => {
    const user = await service().signUp();
    const { status, body } = await change(user, { currentPassword: 'a wrong one', newPassword });

    expect([status, body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect((await logIn(service(), user)).status).to.equal(200);
  });

  it('is refused with 400 when the new one breaks a rule, whatever the current one is', async () => {
    const user = await service().signUp();

    for (const currentPassword of [user.password, 'a wrong one']) {
      const { status, body } = await change(user, { currentPassword, newPassword: 'password123' });
      expect([status, body.code]).to.deep.equal([400, 'password_too_common']);
    }
  });

  it('needs a code where two-factor authentication is on: missing 400, wrong 401', async () => {
    const { user, app } = await signUpWithFactor(service());
    const body = { currentPassword: user.password, newPassword };

    const missing = await change(user, body);
    expect([missing.status, missing.body.code]).to.deep.equal([400, 'code_required']);
    const wrong = await change(user, { ...body, verificationCode: app.wrong() });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    expect((await change(user, { ...body, verificationCode: app.fresh() })).status).to.equal(200);
    const { body: challenge } = await logIn(service(), { ...user, password: newPassword });
    expect(challenge.requires2FA).to.equal(true, 'the second factor stays on');
  });
});
