import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

describe('Email verification', () => {
  const service = useService({ RATE_LIMIT_RESEND: '3' });
  before(() => service().clock.stop());
  const records = useRecords(service);
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);
  const verify = (body: unknown) => service().post('/api/auth/verify-email', body);
  const resend = (email: string) => service().post('/api/auth/resend-verification', { email });
  const mailsTo = async (email: string) => {
    await records().allSent();
    return service().mails.filter(({ to }) => to === email);
  };

  let emailCount = 0;
  const register = async () => {
    emailCount += 1;
    const email = `someone${emailCount}@example.com`;
    await post('register', { email, password: PASSWORD, displayName: 'Ada' });
    service().clock.advance(61_000);
    return { email, code: await service().codeFor(email) };
  };
  const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('returns the members of a login', async () => {
    const { email, code } = await register();
    const { status, body } = await verify({ email, code });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(body.user).to.have.all.keys('id', 'email', 'displayName', 'avatar');
    expect(body.user).to.include({ email, displayName: 'Ada', avatar: null });
    expect(body).to.deep.include({ services: [], banned: false, disabled: false });
  });

  it('refuses a wrong code with `invalid_code` and a message only', async () => {
    const { email, code } = await register();
    const { status, body, headers } = await verify({ email, code: wrongCodeFor(code) });
    expect(status).to.equal(401);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('invalid_code');
    expect(headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('refuses a code of another length with 400, and does not count it as an attempt', async () => {
    const { email, code } = await register();
    for (const misfit of ['12345', `${code}0`, ` ${code}`])
      for (let time = 0; time < 2; time += 1)
        expect((await verify({ email, code: misfit })).status).to.equal(400);
    const fullWidth = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    for (const wrong of ['abcdef', fullWidth, '🦊🦊🦊🦊🦊🦊'])
      expect((await verify({ email, code: wrong })).status).to.equal(401);
    expect((await verify({ email, code })).status).to.equal(200);
  });

  it('mails a new code on request until the email is verified', async () => {
    const { email } = await register();
    const { status, body } = await resend(email);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('message');
    const code = await service().codeFor(email, 2);
    expect((await verify({ email, code })).status).to.equal(200);
    const verified = await resend(email);
    expect([verified.status, verified.body.code]).to.deep.equal([409, 'already_verified']);
  });

  it('mails at most three codes a minute, and refuses further requests for a code with 429', async () => {
    const { email } = await register();
    const logIn = () => post('login', { email, password: PASSWORD });
    await logIn();
    expect((await resend(email)).status).to.equal(200);
    await post('register', { email, password: PASSWORD });
    expect(await mailsTo(email)).to.have.lengthOf(4);

    const { status, headers } = await resend(email);
    expect(status).to.equal(429);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    await logIn();
    expect(await mailsTo(email)).to.have.lengthOf(4);
    service().clock.advance(61_000);
    await logIn();
    expect(await mailsTo(email)).to.have.lengthOf(5);
  });
});
