import { expect } from 'chai';
import { password } from '../admin/open-admin-accounts.ts';
import { newPassword as strangersPassword, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const email = 'owner@example.com';

describe('A second registration of an unverified email', () => {
  const core = useAccounts();
  const register = (enteredPassword: string, displayName?: string, languages: string | null = null) =>
    core().accounts.register(
      { email, password: enteredPassword, ...(displayName !== undefined && { displayName }) },
      { ...caller, languages },
    );
  const verify = (code: string, enteredPassword?: string) =>
    codeOf(
      core().accounts.verifyEmail(
        { email, code, ...(enteredPassword !== undefined && { password: enteredPassword }) },
        caller,
      ),
    );
  /** Registers the email for a stranger and then for its owner, and returns both codes. */
  const registerTwice = async () => {
    await register(strangersPassword, 'Stranger');
    const formerCode = await core().codeTo(email);
    await register(password, 'Owner');
    return { formerCode, code: await core().codeTo(email) };
  };

  it('replaces password and display name, and voids the former code', async () => {
    const { accounts, logIn } = core();
    const { formerCode, code } = await registerTwice();
    expect(await verify(formerCode)).to.equal('invalid_code');
    const { user } = await accounts.verifyEmail({ email, code }, caller);
    expect(user.displayName).to.equal('Owner');
    expect(await codeOf(logIn(email, { password: strangersPassword }))).to.equal('wrong_credentials');
    expect(await codeOf(logIn(email))).to.equal('done');
  });

  it('removes the display name if it has none, and sets the language of the mails', async () => {
    const { accounts, codeTo, mailsTo } = core();
    await registerTwice();
    await register(password, undefined, 'pl');
    await accounts.resendVerification({ email }, { ...caller, languages: 'en' });
    const [, , ...polish] = await mailsTo(email);
    expect(polish.map(({ language }) => language)).to.deep.equal(['pl', 'pl']);
    const { user } = await accounts.verifyEmail({ email, code: await codeTo(email) }, caller);
    expect(user.displayName).to.equal(null);
  });

  it('adds its time and a warning to every later code mail', async () => {
    const { accounts, logIn, mailsTo, ports } = core();
    await registerTwice();
    await accounts.resendVerification({ email }, caller);
    await codeOf(logIn(email));
    const [first = '', ...others] = (await mailsTo(email)).map(({ text }) => text.replaceAll('\n', ' '));
    expect(first).to.not.contain('replaced');
    expect(others).to.have.length(3);
    for (const text of others) {
      expect(text).to.contain('registration of this email address was replaced by a new one at');
      expect(text).to.contain('If you did not do that yourself, do not use this code.');
      const at = /at (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC/.exec(text);
      expect(Date.parse(`${at?.[1]}T${at?.[2]}Z`)).to.be.closeTo(ports.clock.now(), 120_000);
    }
  });

  it('makes its password the only one valid with the code, and wrong ones do not spend it', async () => {
    const { code } = await registerTwice();
    for (let time = 0; time < 6; time += 1)
      expect(await verify(code, strangersPassword)).to.equal('wrong_credentials');
    expect(await verify(code, password)).to.equal('done');
  });

  it('by a stranger cannot be verified with the owner’s password', async () => {
    const { codeTo, logIn } = core();
    await register(password);
    await register(strangersPassword);
    expect(await verify(await codeTo(email), password)).to.equal('wrong_credentials');
    await register(password);
    expect(await verify(await codeTo(email), password)).to.equal('done');
    expect(await codeOf(logIn(email, { password: strangersPassword }))).to.equal('wrong_credentials');
  });

  it('accepts the password with the code in any Unicode form, and refuses a too long one', async () => {
    await register('caf\u00e9 au lait');
    const code = await core().codeTo(email);
    expect(await verify(code, 'x'.repeat(257))).to.equal('password_too_long');
    expect(await verify(code, 'cafe\u0301 au lait')).to.equal('done');
  });

  it('leaves one account with one password if ten registrations run concurrently', async () => {
    const { logIn, ports } = core();
    const passwords = Array.from({ length: 10 }, (_, place) => `the password ${place}`);
    await Promise.all(passwords.map((enteredPassword) => register(enteredPassword)));
    expect(
      await ports.accounts.listWhere({ fact: 'unverified', before: 2 * ports.clock.now() }, 99),
    ).to.have.lengthOf(1);
    expect(await verify(await core().codeTo(email))).to.equal('done');
    const outcomes = await Promise.all(
      passwords.map((enteredPassword) => codeOf(logIn(email, { password: enteredPassword }))),
    );
    expect(outcomes.filter((code) => code === 'done')).to.have.lengthOf(1);
  });
});
