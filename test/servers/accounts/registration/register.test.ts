import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

describe('Registration', () => {
  const service = useService();
  const records = useRecords(service);
  const register = (body: unknown) => service().post('/api/auth/register', body);
  const mailsTo = (email: string) => service().mails.filter(({ to }) => to === email);

  let emailCount = 0;
  const newEmail = () => {
    emailCount += 1;
    return `new${emailCount}@example.com`;
  };
  it('returns 201 with a message and the email only', async () => {
    const email = newEmail();
    const { status, body } = await register({ email, password: PASSWORD });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('message', 'email');
    expect(body.message).to.be.a('string').that.is.not.empty;
    expect(body.email).to.equal(email);
  });

  it('mails a contiguous six-digit code and no links', async () => {
    const email = newEmail();
    await register({ email, password: PASSWORD });
    const { text, html } = await service().mailTo(email);
    const code = /\b\d{6}\b/.exec(text)?.[0];
    expect(code).to.match(/^\d{6}$/);
    expect(html).to.contain(code);
    expect(text + html).to.not.contain('http');
    expect(text).to.contain('15 minutes').and.not.contain('replaced');
  });

  it('returns 409 for a verified email', async () => {
    const { email } = await service().signUp();
    const { status, body } = await register({ email, password: 'another password', displayName: 'Eve' });
    expect(status).to.equal(409);
    expect(body).to.have.all.keys('message', 'code');
    expect(body.code).to.equal('email_taken');
  });

  it('refuses an invalid password or display name, and stores and mails nothing', async () => {
    for (const [input, code] of [
      [{ password: 'x'.repeat(7) }, 'password_too_short'],
      [{ password: 'x'.repeat(257) }, 'password_too_long'],
      [{ password: ' '.repeat(12) }, 'password_not_allowed'],
      [{ password: 'ｐａｓｓｗｏｒｄ１２３' }, 'password_too_common'],
      [{ password: PASSWORD, displayName: 'Ada\nBcc: eve@example.com' }, 'invalid_display_name'],
    ] as const) {
      const email = newEmail();
      const { status, body } = await register({ email, ...input });
      expect([status, body.code]).to.deep.equal([400, code]);
      expect(JSON.stringify(body)).to.not.contain(input.password);
      expect(await records().countUnverified(email)).to.equal(0);
      await records().allSent();
      expect(mailsTo(email)).to.be.empty;
    }
  });

  it('ignores members that are not part of its schema', async () => {
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
