import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

describe('Registering', () => {
  const service = useService();
  const records = useRecords(service);
  const register = (body: unknown) => service().post('/api/auth/register', body);
  const logIn = (email: string, password: string) => service().post('/api/auth/login', { email, password });
  const mailsTo = (email: string) => service().mails.filter(({ to }) => to === email);

  let made = 0;
  const newEmail = () => {
    made += 1;
    return `new${made}@example.com`;
  };
  /** Verifies the newest registration of an email and gives the user as the answer shows them. */
  const verify = async (email: string) => {
    const code = await service().codeFor(email);
    return (await service().post('/api/auth/verify-email', { email, code })).body.user;
  };

  it('answers 201 with a message and the email, and nothing else', async () => {
    const email = newEmail();
    const { status, body } = await register({ email, password: PASSWORD });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('message', 'email');
    expect(body.message).to.be.a('string').that.is.not.empty;
    expect(body.email).to.equal(email);
  });

  it('mails a code of six digits that stand together, and nothing that can be clicked', async () => {
    const email = newEmail();
    await register({ email, password: PASSWORD });
    const { text, html } = await service().mailTo(email);
    const code = /\b\d{6}\b/.exec(text)?.[0];
    expect(code).to.match(/^\d{6}$/);
    expect(html).to.contain(code);
    expect(text + html).to.not.contain('http');
    expect(text).to.contain('15 minutes').and.not.contain('replaced');
  });

  it('logs nobody in before the email is verified', async () => {
    const email = newEmail();
    await register({ email, password: PASSWORD });
    const { status, body } = await logIn(email, PASSWORD);
    expect(status).to.equal(401);
    expect(body).to.have.property('emailVerified', false);
  });

  it('answers 409 for a verified email, and changes and mails nothing', async () => {
    const { email, password } = await service().signUp();
    await records().allSent();
    const before = mailsTo(email).length;

    const { status, body } = await register({ email, password: 'another password', displayName: 'Eve' });
    expect(status).to.equal(409);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('email_taken');
    await records().allSent();
    expect(mailsTo(email)).to.have.lengthOf(before);
    expect((await logIn(email, 'another password')).status).to.equal(401);
    const login = await logIn(email, password);
    expect(login.body.user).to.include({ email, displayName: null });
  });

  const bodies: Readonly<Record<string, unknown>> = {
    'no email': { password: PASSWORD },
    'no password': { email: 'a@example.com' },
    'an empty password': { email: 'a@example.com', password: '' },
    'an email that is a number': { email: 7, password: PASSWORD },
    'an email that is a list': { email: ['a@example.com'], password: PASSWORD },
    'an email that is a query': { email: { $ne: '' }, password: PASSWORD },
    'a password that is null': { email: 'a@example.com', password: null },
    'a password that is an object': { email: 'a@example.com', password: { $gt: '' } },
    'a display name that is a list': { email: 'a@example.com', password: PASSWORD, displayName: ['A'] },
    'a display name that is a number': { email: 'a@example.com', password: PASSWORD, displayName: 7 },
  };
  for (const [what, body] of Object.entries(bodies)) {
    it(`is refused with ${what}`, async () => {
      const reply = await register(body);
      expect(reply.status).to.equal(400);
      expect(reply.body).to.have.all.keys('message', 'code');
    });
  }

  const passwords: readonly (readonly [password: string, code: string])[] = [
    ['x'.repeat(7), 'password_too_short'],
    ['🦊'.repeat(7), 'password_too_short'],
    ['x'.repeat(257), 'password_too_long'],
    [' '.repeat(12), 'password_not_allowed'],
    ['nul\0nul\0nul', 'password_not_allowed'],
    ['password123', 'password_too_common'],
    ['PassWord123', 'password_too_common'],
    ['ｐａｓｓｗｏｒｄ１２３', 'password_too_common'],
  ];
  for (const [password, code] of passwords) {
    it(`refuses the password ${JSON.stringify(password.slice(0, 20))} as ${code}, leaving nothing`, async () => {
      const email = newEmail();
      const { status, body } = await register({ email, password });
      expect(status).to.equal(400);
      expect(body.code).to.equal(code);
      expect(JSON.stringify(body)).to.not.contain(password);
      expect(await records().countUnverified(email)).to.equal(0);
      await records().allSent();
      expect(mailsTo(email)).to.be.empty;
    });
  }

  it('takes passwords of 8 and of 256 characters, and cuts none of them off', async () => {
    for (const password of ['🦊🐺🐻🐼🐨🐯🦁x', `${'🦊'.repeat(255)}x`]) {
      const email = newEmail();
      expect((await register({ email, password })).status).to.equal(201);
      await verify(email);
      expect((await logIn(email, password.replace(/x$/, 'y'))).status).to.equal(401);
      expect((await logIn(email, password)).status).to.equal(200);
    }
  });

  it('takes one password typed in several ways for the same', async () => {
    const email = newEmail();
    await register({ email, password: 'ﬁnd the caf\u00e9 Ⅳ' });
    await verify(email);
    expect((await logIn(email, 'find the cafe\u0301 IV')).status).to.equal(200);
    expect((await logIn(email, 'find the cafe IV')).status).to.equal(401);
  });

  const names: readonly (readonly [given: string | undefined, shown: string | null])[] = [
    ['  Zoë <b>🦊</b>  ', 'Zoë <b>🦊</b>'],
    [undefined, null],
    ['', null],
    ['   ', null],
    ['🦊'.repeat(100), '🦊'.repeat(100)],
  ];
  for (const [given, shown] of names) {
    it(`shows the display name ${JSON.stringify(given?.slice(0, 20))} as it should`, async () => {
      const email = newEmail();
      await register({ email, password: PASSWORD, ...(given === undefined ? {} : { displayName: given }) });
      expect(await verify(email)).to.have.property('displayName', shown);
    });
  }

  for (const displayName of ['x'.repeat(101), 'Ada\nBcc: eve@example.com', 'Ada\u001b[31m']) {
    it(`refuses the display name ${JSON.stringify(displayName.slice(0, 20))}`, async () => {
      const { status, body } = await register({ email: newEmail(), password: PASSWORD, displayName });
      expect(status).to.equal(400);
      expect(body.code).to.equal('invalid_display_name');
    });
  }

  it('ignores members that are none of its own', async () => {
    const email = newEmail();
    const extras = {
      ...{ id: 'mine', verified: true, emailVerified: true, banned: true, role: 'operator', version: 9 },
      ...{ twoFactor: null, sessionEpoch: 7, avatar: 'https://example.com/a.png', passwordHash: 'x' },
      ...{ createdAt: 0, accessFlags: { isOperatorTeam: true }, pending: [{ kind: 'task' }] },
    };
    expect((await register({ ...extras, email, password: PASSWORD })).status).to.equal(201);
    const account = await records().accountOf(email);
    expect(account).to.include({
      verified: false,
      banned: null,
      twoFactor: null,
      sessionEpoch: 0,
      avatar: null,
    });
    expect(account.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(account.passwordHash).to.match(/^\$scrypt\$/);
    expect(account.createdAt).to.be.greaterThan(0);
    expect(account).to.not.have.any.keys('role', 'accessFlags', 'emailVerified');
  });
});
