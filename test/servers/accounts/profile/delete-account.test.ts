import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn, signUpWithFactor, statusOfMe } from '../second-factor/factor.ts';

describe('The deletion of an account', () => {
  const service = useService();
  const remove = ({ token }: Pick<User, 'token'>, body: unknown = undefined) =>
    service().post('/api/auth/delete-account', body, { token });

  it('requires the password, and ends sessions and logins', async () => {
    const user = await service().signUp();
    const { status, body } = await remove(user, { password: user.password });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
    expect(await statusOfMe(service(), user.token)).to.equal(401);
    const login = await logIn(service(), user);
    expect([login.status, login.body.code]).to.deep.equal([401, 'wrong_credentials']);
  });

  it('is refused with 400 without a password, and with 401 for a wrong one', async () => {
    const user = await service().signUp();

    for (const body of [undefined, {}, { verificationCode: '123456' }]) {
      const missing = await remove(user, body);
      expect([missing.status, missing.body.code]).to.deep.equal([400, 'password_required']);
    }
    const wrong = await remove(user, { password: 'a wrong one' });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'wrong_credentials']);
    expect((await logIn(service(), user)).status).to.equal(200);
  });

  it('is refused without a code, or with a wrong one, if two-factor authentication is on', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { password } = user;

    const missing = await remove(user, { password });
    expect([missing.status, missing.body.code]).to.deep.equal([400, 'code_required']);
    const wrong = await remove(user, { password, verificationCode: app.wrong() });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'invalid_two_factor_code']);
    expect((await remove(user, { password, verificationCode: app.fresh() })).status).to.equal(200);
  });
});
