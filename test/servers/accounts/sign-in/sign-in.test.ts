import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { signUpWithFactor } from '../second-factor/factor.ts';

const PASSWORD = 'correct horse battery';

describe('Logging in', () => {
  const service = useService();
  const records = useRecords(service);
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

  it('gives tokens of a session of its own', async () => {
    const user = await service().signUp();
    const { body } = await logIn(user);
    expect(body.token).to.not.equal(user.token);
    const { body: list } = await service().request('GET', '/api/auth/sessions', {
      token: String(body.token),
    });
    expect(list.sessions).to.have.lengthOf(2);
    expect((await post('refresh', { refreshToken: body.refreshToken })).status).to.equal(200);
    expect((await post('refresh', { refreshToken: user.refreshToken })).status).to.equal(200);
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

  it('takes a password for right only as a whole', async () => {
    const { email, password } = await service().signUp();
    for (const other of [`${password} `, ` ${password}`, password.toUpperCase(), password.slice(0, -1)])
      expect((await logIn({ email, password: other })).status).to.equal(401);
  });

  describe('before the email is verified', () => {
    it('answers 401 with the email and that it is not verified', async () => {
      const { email } = await register();
      const { status, body } = await logIn({ email: ` ${email.toUpperCase()}`, password: PASSWORD });
      expect(status).to.equal(401);
      expect(body).to.have.all.keys('message', 'code', 'emailVerified', 'email');
      expect(body).to.include({ code: 'email_not_verified', emailVerified: false, email });
    });

    it('mails a new code, with which the email is verified; the one before is void', async () => {
      const { email, code } = await register();
      await logIn({ email, password: PASSWORD });
      const next = await service().codeFor(email, 2);
      expect((await post('verify-email', { email, code })).status).to.equal(401);
      expect((await post('verify-email', { email, code: next })).status).to.equal(200);
    });

    it('says nothing of it to who has the wrong password, and mails nothing', async () => {
      const { email, code } = await register();
      const { status, body } = await logIn({ email, password: 'a wrong password' });
      expect(status).to.equal(401);
      expect(body).to.have.all.keys('message', 'code');
      await records().allSent();
      expect(service().mails.filter(({ to }) => to === email)).to.have.lengthOf(1);
      expect((await post('verify-email', { email, code })).status).to.equal(200);
    });

    it('knows only the password of the newest registration', async () => {
      const { email } = await register();
      await post('register', { email, password: 'another password' });
      expect((await logIn({ email, password: PASSWORD })).body).to.not.have.property('emailVerified');
      expect((await logIn({ email, password: 'another password' })).body).to.have.property('emailVerified');
    });
  });

  it('never takes a password for an account that has none', async () => {
    const { email } = await service().signUp();
    await records().change(email, { passwordHash: null });
    for (const password of ['null', 'a wrong password', 'correct horse battery'])
      expect((await logIn({ email, password })).body.code).to.equal('wrong_credentials');
  });

  const bodies: Readonly<Record<string, unknown>> = {
    'no email': { password: PASSWORD },
    'no password': { email: 'a@example.com' },
    'an empty password': { email: 'a@example.com', password: '' },
    'an email that is a query': { email: { $gt: '' }, password: PASSWORD },
    'a password that is a query': { email: 'a@example.com', password: { $ne: '' } },
    'a password that is a list': { email: 'a@example.com', password: [PASSWORD] },
    'a code that is a number': { email: 'a@example.com', password: PASSWORD, verificationCode: 123456 },
    'a password longer than any can be': { email: 'a@example.com', password: 'x'.repeat(257) },
    'no object': [],
  };
  for (const [what, body] of Object.entries(bodies)) {
    it(`is refused with ${what}`, async () => {
      const reply = await logIn(body);
      expect(reply.status).to.equal(400);
      expect(reply.body).to.have.all.keys('message', 'code');
    });
  }
});
