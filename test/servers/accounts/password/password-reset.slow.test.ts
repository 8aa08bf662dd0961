import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';
import { logIn, logInAgain, me, signUpWithFactor } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';

const MINUTE = 60_000;
const newPassword = 'another horse battery';

describe('A password reset', () => {
  const service = useService();
  const stores = useStores(service);
  const records = useRecords(service);
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

    it('answers alike for every email, and mails nothing to unknown and unverified ones', async () => {
      const user = await service().signUp();
      await service().post('/api/auth/register', { email: 'waits@example.com', password: newPassword });
      const answers = [await ask(user.email), await ask('waits@example.com'), await ask('no@example.com')];

      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
      await stores().settled();
      const subjects = (to: string) => service().mails.filter((mail) => mail.to === to).length;
      expect([subjects(user.email), subjects('waits@example.com'), subjects('no@example.com')]).to.deep.equal(
        [2, 1, 0],
      );
    });

    it('changes nothing by itself', async () => {
      const user = await service().signUp();
      await codeFor(user);

      expect(await me(service(), user.token)).to.equal(200);
      expect(await canLogIn(user, user.password)).to.equal(true);
    });

    it('refuses with 400 what is no email', async () => {
      for (const email of ['', 'nobody', 7, null, undefined]) {
        expect((await service().post('/api/auth/password-reset', { email })).status).to.equal(400);
      }
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

    it('takes the code in any case, with or without the dash, or with another or blanks', async () => {
      for (const typed of [
        (code: string) => ` ${code.replace('-', '\u2013')} `,
        (code: string) => code.replace('-', ' '),
        (code: string) => code.toLowerCase(),
        (code: string) => code.replace('-', ''),
        (code: string) => code.toLowerCase().replace('-', ''),
      ]) {
        const user = await service().signUp();
        expect((await confirm(user.email, typed(await codeFor(user)))).status).to.equal(200);
      }
    });

    it('ends every session', async () => {
      const user = await service().signUp();
      const other = await logInAgain(service(), user);
      await confirm(user.email, await codeFor(user));

      for (const { token, refreshToken } of [user, other]) {
        expect(await me(service(), token)).to.equal(401);
        expect((await service().post('/api/auth/refresh', { refreshToken })).status).to.equal(401);
      }
    });

    it('is audited and told by mail', async () => {
      const user = await service().signUp();
      await confirm(user.email, await codeFor(user));

      expect((await service().mailTo(user.email, 3)).subject).to.equal('Your Gatehouse password was changed');
      await stores().settled();
      expect(await stores().actionsAbout(user.id)).to.deep.equal(['password.reset']);
    });

    it('takes a code once', async () => {
      const user = await service().signUp();
      const code = await codeFor(user);
      await confirm(user.email, code);

      expect((await confirm(user.email, code, 'a third horse battery')).status).to.equal(401);
      expect(await canLogIn(user, newPassword)).to.equal(true);
    });

    it('takes a code for ten minutes', async () => {
      const [early, late] = [await service().signUp(), await service().signUp()];
      const codes = [await codeFor(early), await codeFor(late)];

      service().clock.advance(10 * MINUTE - 10_000);
      expect((await confirm(early.email, codes[0] ?? '')).status).to.equal(200);
      service().clock.advance(10_000);
      const { status, body } = await confirm(late.email, codes[1] ?? '');
      expect([status, body.code]).to.deep.equal([401, 'invalid_code']);
    });

    it('takes only the newest code', async () => {
      const user = await service().signUp();
      const [older, newer] = [await codeFor(user), await codeFor(user, 3)];

      expect(older).not.to.equal(newer);
      expect((await confirm(user.email, older)).status).to.equal(401);
      expect((await confirm(user.email, newer)).status).to.equal(200);
    });

    it('voids the code at the fifth wrong try, and holds nobody: a new code works', async () => {
      const user = await service().signUp();
      for (let round = 0; round < 3; round += 1) {
        const code = await codeFor(user, 2 + round);
        for (let wrong = 0; wrong < 5; wrong += 1) {
          expect((await confirm(user.email, '00000-00000')).status).to.equal(401);
        }
        expect((await confirm(user.email, code)).status).to.equal(401);
      }
      const code = await codeFor(user, 5);
      for (let wrong = 0; wrong < 4; wrong += 1) await confirm(user.email, '00000-00000');

      expect((await confirm(user.email, code)).status).to.equal(200);
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

    it('is refused with 400 for a password that breaks a rule, and the code stays good', async () => {
      const user = await service().signUp();
      const code = await codeFor(user);

      for (const wrong of ['short12', 'password123', ' '.repeat(9), 'x'.repeat(257)]) {
        expect((await confirm(user.email, code, wrong)).status, wrong).to.equal(400);
      }
      expect((await confirm(user.email, code)).status).to.equal(200);
    });

    it('never logs in, and never skips the second factor', async () => {
      const { user, app } = await signUpWithFactor(service());
      const { body } = await confirm(user.email, await codeFor(user, 3));

      expect(body).to.deep.equal({ success: true });
      const renewed = { ...user, password: newPassword };
      expect((await logIn(service(), renewed)).body.requires2FA).to.equal(true);
      expect((await logIn(service(), renewed, { verificationCode: app.wrong() })).status).to.equal(401);
      expect((await logIn(service(), renewed, { verificationCode: app.fresh() })).status).to.equal(200);
    });

    it('ends the hold of the password', async () => {
      const user = await service().signUp();
      for (let wrong = 0; wrong < 100; wrong += 1) {
        await logIn(service(), { ...user, password: 'a wrong one' });
      }
      expect((await logIn(service(), user)).status).to.equal(429);
      await confirm(user.email, await codeFor(user));

      expect(await canLogIn(user, newPassword)).to.equal(true);
    });

    it('gives an account without password one', async () => {
      const user = await service().signUp();
      await records().change(user.email, { passwordHash: null });
      expect(await canLogIn(user, user.password)).to.equal(false);

      await confirm(user.email, await codeFor(user));
      expect(await canLogIn(user, newPassword)).to.equal(true);
    });
  });

  it('and a verification do not take each other’s codes', async () => {
    const user = await service().signUp();
    const code = await codeFor(user);
    const waiting = 'waiting@example.com';
    await service().post('/api/auth/register', { email: waiting, password: newPassword });
    const verification = await service().codeFor(waiting);
    const verify = (email: string, given: string) =>
      service().post('/api/auth/verify-email', { email, code: given });

    expect((await confirm(waiting, verification)).status).to.equal(401);
    expect((await verify(user.email, code.slice(0, 6))).status).to.equal(401);
    expect((await verify(user.email, code)).status).to.equal(400);
    expect((await verify(waiting, verification)).status).to.equal(200);
    expect((await confirm(user.email, code)).status).to.equal(200);
  });

  it('code of one user does nothing for another', async () => {
    const [one, other] = [await service().signUp(), await service().signUp()];
    const code = await codeFor(one);
    await codeFor(other);

    expect((await confirm(other.email, code)).status).to.equal(401);
  });
});
