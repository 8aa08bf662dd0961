import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { logIn, signUpWithFactor, statusOfMe } from './factor.ts';

describe('A login with two-factor authentication', () => {
  const service = useService();

  it('returns a challenge with exactly the documented members for the right password', async () => {
    const { user } = await signUpWithFactor(service());
    const { status, body } = await logIn(service(), user);

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'requires2FA', 'pendingToken', 'message');
    expect(body.user).to.deep.equal({ id: user.id, email: user.email, displayName: null, avatar: null });
    expect(body.requires2FA).to.equal(true);
    expect(body.pendingToken).to.be.a('string').and.not.equal('');
    expect(body.message).to.be.a('string').and.not.equal('');
  });

  it('refuses a wrong password alike with and without a code, and reveals no second factor', async () => {
    const { user, app } = await signUpWithFactor(service());
    const stranger = { email: user.email, password: 'not the right one' };

    for (const more of [{}, { verificationCode: app.fresh() }, { verificationCode: app.wrong() }]) {
      const refused = await logIn(service(), stranger, more);
      expect(refused.status).to.equal(401);
      expect(refused.body).to.deep.equal({
        message: 'Email or password is wrong.',
        code: 'wrong_credentials',
      });
    }
  });

  it('returns a valid access token for password and code', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body } = await logIn(service(), user, { verificationCode: app.fresh() });

    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(await statusOfMe(service(), String(body.token))).to.equal(200);
  });

  it('refuses a wrong code with 401', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { status, body, headers } = await logIn(service(), user, { verificationCode: app.wrong() });

    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_two_factor_code');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('accepts a pending token in place of the password, with a code', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { email } = user;
    const { pendingToken } = (await logIn(service(), user)).body;
    const finish = (more: object) => service().post('/api/auth/login', { email, pendingToken, ...more });
    const missing = await finish({});
    expect([missing.status, missing.body.code]).to.deep.equal([400, 'code_required']);
    const { status, body } = await finish({ verificationCode: app.fresh() });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(await statusOfMe(service(), String(body.token))).to.equal(200);
  });
});
