import { expect } from 'chai';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { newPassword as strangers, usePeople } from '../use-people.ts';

const email = 'owner@example.com';

describe('Registering an email again before it is verified', () => {
  const people = usePeople();
  const register = (enteredPassword: string, displayName?: string, languages: string | null = null) =>
    people().accounts.register(
      { email, password: enteredPassword, ...(displayName !== undefined && { displayName }) },
      { ...caller, languages },
    );
  const verify = (code: string, enteredPassword?: string) =>
    codeOf(
      people().accounts.verifyEmail(
        { email, code, ...(enteredPassword !== undefined && { password: enteredPassword }) },
        caller,
      ),
    );
  /** A stranger registers the email, then its owner does; gives the code of each. */
  const registerTwice = async () => {
    await register(strangers, 'Stranger');
    const old = await people().codeTo(email);
    await register(password, 'Owner');
    return { old, code: await people().codeTo(email) };
  };

  it('replaces the password and the display name, and voids the code of before', async () => {
    const { accounts, logIn } = people();
    const { old, code } = await registerTwice();
    expect(await verify(old)).to.equal('invalid_code');
    const { user } = await accounts.verifyEmail({ email, code }, caller);
    expect(user.displayName).to.equal('Owner');
    expect(await codeOf(logIn(email, { password: strangers }))).to.equal('wrong_credentials');
    expect(await codeOf(logIn(email))).to.equal('done');
  });

  it('takes the display name away when it gives none, and its language is that of the mails', async () => {
    const { accounts, codeTo, mailsTo } = people();
    await registerTwice();
    await register(password, undefined, 'pl');
    await accounts.resendVerification({ email }, { ...caller, languages: 'en' });
    const [, , ...polish] = await mailsTo(email);
    expect(polish.map(({ language }) => language)).to.deep.equal(['pl', 'pl']);
    const { user } = await accounts.verifyEmail({ email, code: await codeTo(email) }, caller);
    expect(user.displayName).to.equal(null);
  });

  it('is said in every mail with a code from then on, with when, and not to use the code otherwise', async () => {
    const { accounts, logIn, mailsTo, ports } = people();
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

  it('has a password beside the code taken from the newest alone, and wrong ones spend no code', async () => {
    const { code } = await registerTwice();
    for (let time = 0; time < 6; time += 1)
      expect(await verify(code, strangers)).to.equal('wrong_credentials');
    expect(await verify(code, password)).to.equal('done');
  });

  it('never has the owner verify a stranger’s registration', async () => {
    const { codeTo, logIn } = people();
    await register(password);
    await register(strangers);
    expect(await verify(await codeTo(email), password)).to.equal('wrong_credentials');
    await register(password);
    expect(await verify(await codeTo(email), password)).to.equal('done');
    expect(await codeOf(logIn(email, { password: strangers }))).to.equal('wrong_credentials');
  });

  it('takes the password in any Unicode form, and refuses one that is too long', async () => {
    await register('caf\u00e9 au lait');
    const code = await people().codeTo(email);
    expect(await verify(code, 'x'.repeat(257))).to.equal('password_too_long');
    expect(await verify(code, 'cafe\u0301 au lait')).to.equal('done');
  });

  it('leaves one account of ten registrations at once, which the newest code and one password open', async () => {
    const { logIn, ports } = people();
    const passwords = Array.from({ length: 10 }, (_, place) => `the password ${place}`);
    await Promise.all(passwords.map((enteredPassword) => register(enteredPassword)));
    expect(
      await ports.accounts.listWhere({ fact: 'unverified', before: 2 * ports.clock.now() }, 99),
    ).to.have.lengthOf(1);
    expect(await verify(await people().codeTo(email))).to.equal('done');
    const outcomes = await Promise.all(
      passwords.map((enteredPassword) => codeOf(logIn(email, { password: enteredPassword }))),
    );
    expect(outcomes.filter((code) => code === 'done')).to.have.lengthOf(1);
  });
});
