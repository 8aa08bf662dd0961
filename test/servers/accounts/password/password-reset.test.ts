import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { logIn } from '../second-factor/factor.ts';

const newPassword = 'another horse battery';

describe('A password reset', () => {
  const service = useService();
  const request = (email: string) => service().post('/api/auth/password-reset', { email });
  const confirm = (email: string, code: string, password = newPassword) =>
    service().post('/api/auth/password-reset/confirm', { email, code, newPassword: password });

  it('mails a ten-character code on its own line, which sets the new password', async () => {
    const user = await service().signUp();
    const requested = await request(user.email);
    expect(requested.status).to.equal(200);
    expect(requested.body).to.have.all.keys('message');
    const { subject, text } = await service().mailTo(user.email, 2);
    expect(subject).to.equal('Your Gatehouse password reset code');
    expect(text.replace(/\s+/g, ' ')).to.contain('for 10 minutes');
    const [, code = ''] = /^ {4}([0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5})$/m.exec(text) ?? [];

    const { status, body } = await confirm(user.email, code);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
    expect((await logIn(service(), user)).status).to.equal(401);
    expect((await logIn(service(), { ...user, password: newPassword })).status).to.equal(200);
  });

  it('gets equal replies for every email, at its request and for a wrong code', async () => {
    const { email } = await service().signUp();
    await service().post('/api/auth/register', { email: 'waits@example.com', password: newPassword });
    for (const [status, call] of [
      [200, request],
      [401, (to: string) => confirm(to, '00000-00000')],
    ] as const) {
      const answers = [await call(email), await call('waits@example.com'), await call('no@example.com')];
      expect(new Set(answers.map((answer) => answer.status))).to.deep.equal(new Set([status]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    }
  });

  it('is refused with 400 for a common password', async () => {
    const { status, body } = await confirm('no@example.com', '00000-00000', 'password123');
    expect([status, body.code]).to.deep.equal([400, 'password_too_common']);
  });
});
