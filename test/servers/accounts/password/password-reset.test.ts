import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { logIn } from '../second-factor/factor.ts';

const newPassword = 'another horse battery';

describe('A password reset', () => {
  const service = useService();
  const ask = (email: string) => service().post('/api/auth/password-reset', { email });
  const confirm = (email: string, code: string, password = newPassword) =>
    service().post('/api/auth/password-reset/confirm', { email, code, newPassword: password });
  /** Asks for a code and reads it from the mail, the `count`th to the address. */
  const codeFor = async ({ email }: Pick<User, 'email'>, count = 2): Promise<string> => {
    await ask(email);
    const { text } = await service().mailTo(email, count);
    return /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text)?.[0] ?? '';
  };
  const canLogIn = async (user: User, password: string) =>
    (await logIn(service(), { ...user, password })).status === 200;

  describe('asked for', () => {
    it('mails a code of ten characters that stands alone on its line', async () => {
      const user = await service().signUp();
      const { status, body } = await ask(user.email);
      const mail = await service().mailTo(user.email, 2);

      expect(status).to.equal(200);
      expect(body).to.have.all.keys('message');
      expect(mail.subject).to.equal('Your Gatehouse password reset code');
      expect(mail.text).to.match(/^ {4}[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/m);
      expect(mail.text.replace(/\s+/g, ' ')).to.contain('for 10 minutes');
    });

    it('answers alike for every email', async () => {
      const user = await service().signUp();
      await service().post('/api/auth/register', { email: 'waits@example.com', password: newPassword });
      const answers = [await ask(user.email), await ask('waits@example.com'), await ask('no@example.com')];

      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    });
  });

  describe('confirmed', () => {
    it('sets the new password', async () => {
      const user = await service().signUp();
      const { status, body } = await confirm(user.email, await codeFor(user));

      expect(status).to.equal(200);
      expect(body).to.deep.equal({ success: true });
      expect(await canLogIn(user, user.password)).to.equal(false);
      expect(await canLogIn(user, newPassword)).to.equal(true);
    });

    it('is refused alike for an unknown email, one without a code, and a wrong code', async () => {
      const [asked, silent] = [await service().signUp(), await service().signUp()];
      await codeFor(asked);
      const answers = [
        await confirm(asked.email, '00000-00000'),
        await confirm(silent.email, '00000-00000'),
        await confirm('no@example.com', '00000-00000'),
      ];

      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([401]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    });

    it('is refused with 400 for a password that breaks a rule', async () => {
      const { status, body } = await confirm('no@example.com', '00000-00000', 'password123');
      expect([status, body.code]).to.deep.equal([400, 'password_too_common']);
    });
  });
});
