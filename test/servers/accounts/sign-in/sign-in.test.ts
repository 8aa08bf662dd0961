import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { signUpWithFactor } from '../second-factor/factor.ts';

const PASSWORD = 'correct horse battery';

describe('Logging in', () => {
  const service = useService();
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);
  const logIn = (body: unknown) => post('login', body);

  let made = 0;
  const register = async () => {
    made += 1;
    const email = `waiting${made}@example.com`;
    await post('register', { email, password: PASSWORD, displayName: 'Ada' });
    return { email, code: await service().codeFor(email) };
  };

  it('answers with the user, the tokens, the services and the flags', async () => {
    const { email, code } = await register();
    await post('verify-email', { email, code });
    const { status, body } = await logIn({ email, password: PASSWORD });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(body.user).to.have.all.keys('id', 'email', 'displayName', 'avatar');
    expect(body.user).to.include({ email, displayName: 'Ada', avatar: null });
    expect(body).to.deep.include({ services: [], banned: false, disabled: false });
  });

  it('asks for the second factor where one is on', async () => {
    const { user } = await signUpWithFactor(service());
    const { status, body } = await logIn({ email: user.email, password: user.password });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'requires2FA', 'pendingToken', 'message');
    expect(body.user).to.have.all.keys('id', 'email', 'displayName', 'avatar');
    expect(body.requires2FA).to.equal(true);
    expect(body.pendingToken).to.be.a('string');
  });

  it('refuses a wrong password with a message', async () => {
    const { email } = await service().signUp();
    const { status, body, headers } = await logIn({ email, password: 'a wrong password' });
    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('wrong_credentials');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('answers 401 with the email and that it is not verified, before it is', async () => {
    const { email } = await register();
    const { status, body } = await logIn({ email: ` ${email.toUpperCase()}`, password: PASSWORD });
    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code', 'emailVerified', 'email');
    expect(body).to.include({ code: 'email_not_verified', emailVerified: false, email });
  });

  it('says how long passwords are held after a hundred wrong ones', async () => {
    const email = 'nobody@example.com';
    for (let time = 0; time < 100; time += 1)
      expect((await logIn({ email, password: 'a wrong password' })).status).to.equal(401);
    const { status, body, headers } = await logIn({ email, password: PASSWORD });
    expect(status).to.equal(429);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('login_held');
    expect(Number(headers.get('retry-after'))).to.be.within(86_000, 86_400);
  });
});
