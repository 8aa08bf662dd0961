import { expect } from 'chai';
import { useService } from '../../../support/service.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';

describe('A login', () => {
  const service = useService();
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);

  it('returns 401 with the email until the email is verified', async () => {
    await post('register', { email, password, displayName: 'Ada' });
    const { status, body } = await post('login', { email: ` ${email.toUpperCase()}`, password });
    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code', 'emailVerified', 'email');
    expect(body).to.include({ code: 'email_not_verified', emailVerified: false, email });
  });

  it('returns the user, the tokens, the services and the flags', async () => {
    await post('verify-email', { email, code: await service().codeFor(email, 2) });
    const { status, body } = await post('login', { email, password });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(body.user).to.have.all.keys('id', 'email', 'displayName', 'avatar');
    expect(body.user).to.include({ email, displayName: 'Ada', avatar: null });
    expect(body).to.deep.include({ services: [], banned: false, disabled: false });
  });

  it('refuses a wrong password with a message and a code', async () => {
    const { status, body, headers } = await post('login', { email, password: 'a wrong password' });
    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('wrong_credentials');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });
});
