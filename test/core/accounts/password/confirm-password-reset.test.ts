import { expect } from 'chai';
import { password } from '../admin/open-admin-accounts.ts';
import { callerAt, newPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const MINUTE = 60_000;
const REFUSED = 'invalid_code';
const WRONG = '00000-00000';

describe('A password reset', () => {
  const core = useAccounts();
  const request = (email: string, by = caller) => core().accounts.requestPasswordReset({ email }, by);
  const codeFor = async (email: string) => {
    await request(email);
    return core().codeTo(email);
  };
  const confirm = (email: string, code: string, enteredPassword = newPassword, by = caller) =>
    codeOf(core().accounts.confirmPasswordReset({ email, code, newPassword: enteredPassword }, by));
  const canLogIn = async (email: string, enteredPassword: string) =>
    (await codeOf(core().logIn(email, { password: enteredPassword }))) === 'done';

  it('takes effect with its code, ends every session, and is mailed and audited', async () => {
    const { accounts, actionsAbout, isActive, logIn, mailsTo, signUp } = core();
    const user = await signUp();
    const other = tokensIn(await logIn(user.email));
    const code = await codeFor(user.email);
    expect([await isActive(user.token), await canLogIn(user.email, password)]).to.deep.equal([true, true]);
    expect(await confirm(user.email, code)).to.equal('done');
    for (const { token, refreshToken } of [user, other]) {
      expect(await isActive(token)).to.equal(false);
      expect(await codeOf(accounts.refresh({ refreshToken }, caller))).to.equal('invalid_refresh_token');
    }
    expect(await canLogIn(user.email, password)).to.equal(false);
    expect(await canLogIn(user.email, newPassword)).to.equal(true);
    expect((await mailsTo(user.email)).at(-1)?.subject).to.equal('Your Gatehouse password was changed');
    expect(await actionsAbout(user.id)).to.deep.equal(['password.reset']);
  });

  it('accepts the code in any case, with any dash or none, and with blanks', async () => {
    const { email } = await core().signUp();
    for (const typed of [
      (code: string) => ` ${code.replace('-', '\u2013')} `,
      (code: string) => code.replace('-', ' '),
      (code: string) => code.toLowerCase(),
      (code: string) => code.toLowerCase().replace('-', ''),
    ])
      expect(await confirm(email, typed(await codeFor(email)))).to.equal('done');
  });

  it('accepts only the newest code of its own user, once, for ten minutes', async () => {
    const { clock, signUp } = core();
    const [{ email }, { email: other }] = [await signUp(), await signUp('grace@example.com')];
    const [older, newer, foreign] = [await codeFor(email), await codeFor(email), await codeFor(other)];
    for (const code of [older, foreign]) expect(await confirm(email, code)).to.equal(REFUSED);
    clock.advance(10 * MINUTE - 10_000);
    expect(await confirm(email, newer)).to.equal('done');
    expect(await confirm(email, newer, 'a third horse battery')).to.equal(REFUSED);
    clock.advance(10_000);
    expect(await confirm(other, foreign)).to.equal(REFUSED);
  });

  it('voids the code after five wrong attempts, and accepts a new code', async () => {
    const { email } = await core().signUp();
    for (let round = 0; round < 3; round += 1) {
      const code = await codeFor(email);
      for (let time = 0; time < 5; time += 1) expect(await confirm(email, WRONG)).to.equal(REFUSED);
      expect(await confirm(email, code)).to.equal(REFUSED);
    }
    const code = await codeFor(email);
    for (let time = 0; time < 4; time += 1) await confirm(email, WRONG);
    expect(await confirm(email, code)).to.equal('done');
  });

  it('sends no mail to an unknown or unverified email, and refuses its codes alike', async () => {
    const { accounts, mailsTo, signUp } = core();
    const { email } = await signUp();
    await accounts.register({ email: 'waits@example.com', password }, caller);
    const answers = [];
    for (const to of [email, 'waits@example.com', 'nobody@example.com']) {
      answers.push(await request(to));
      expect(await confirm(to, WRONG)).to.equal(REFUSED);
    }
    expect(new Set(answers.map(({ message }) => message)).size).to.equal(1);
    expect(await mailsTo('waits@example.com')).to.have.length(1);
    expect(await mailsTo('nobody@example.com')).to.deep.equal([]);
  });

  it('keeps the code valid if the password breaks a rule', async () => {
    const { email } = await core().signUp();
    const code = await codeFor(email);
    expect(await confirm(email, code, 'short12')).to.equal('password_too_short');
    expect(await confirm(email, code)).to.equal('done');
  });

  it('keeps the second factor on', async () => {
    const { logIn, signUpWithFactor } = core();
    const { app, email } = await signUpWithFactor();
    await confirm(email, await codeFor(email));
    const attempt = (verificationCode: string) =>
      codeOf(logIn(email, { password: newPassword, verificationCode }));
    expect(await logIn(email, { password: newPassword })).to.have.property('requires2FA', true);
    expect(await attempt(app.wrong())).to.equal('invalid_two_factor_code');
    expect(await attempt(app.fresh())).to.equal('done');
  });

  it('sets the first password of an account without one', async () => {
    const { edit, signUp } = core();
    const { id, email } = await signUp();
    await edit(id, { passwordHash: null });
    for (const enteredPassword of ['null', password])
      expect(await codeOf(core().logIn(email, { password: enteredPassword }))).to.equal('wrong_credentials');
    await confirm(email, await codeFor(email));
    expect(await canLogIn(email, newPassword)).to.equal(true);
  });
});

describe('A password reset while a stranger requests one', () => {
  const core = useAccounts();
  const HOME = caller;
  const STRANGER = callerAt('203.0.113.1');
  const email = 'ada@example.com';
  beforeEach(() => core().signUp(email));

  const request = (by: typeof caller) => core().accounts.requestPasswordReset({ email }, by);
  const confirm = (by: typeof caller, code: string) =>
    codeOf(core().accounts.confirmPasswordReset({ email, code, newPassword }, by));
  const guess = async (by: typeof caller, times: number) => {
    for (let time = 0; time < times; time += 1) expect(await confirm(by, WRONG)).to.equal(REFUSED);
  };
  /** The reset codes mailed so far. */
  const codes = async () => (await core().codesTo(email)).slice(1);
  const codeFromHome = async () => {
    await request(HOME);
    return (await codes()).at(-1) ?? '';
  };

  it('from home has a code that a stranger’s request does not replace', async () => {
    const code = await codeFromHome();
    await request(STRANGER);
    expect(await codes()).to.deep.equal([code]);
    expect(await confirm(HOME, code)).to.equal('done');
  });

  it('from home has a code that is accepted at another address', async () => {
    const code = await codeFromHome();
    await guess(STRANGER, 4);
    expect(await confirm(callerAt('192.0.2.2'), code)).to.equal('done');
  });

  it('from home has a code that five wrong attempts by a stranger void for the stranger alone', async () => {
    const code = await codeFromHome();
    await guess(STRANGER, 5);
    expect([await confirm(STRANGER, code), await confirm(HOME, code)]).to.deep.equal([REFUSED, 'done']);
  });

  it('from home has a code that five wrong attempts at home void everywhere', async () => {
    const code = await codeFromHome();
    await guess(HOME, 5);
    for (const by of [HOME, STRANGER]) expect(await confirm(by, code)).to.equal(REFUSED);
  });

  it('from home replaces a stranger’s code, and is replaced by a stranger after it expired', async () => {
    await request(STRANGER);
    await request(HOME);
    core().clock.advance(10 * MINUTE + 1_000);
    await request(STRANGER);
    const [first = '', second = '', third = ''] = await codes();
    for (const code of [first, second]) expect(await confirm(HOME, code)).to.equal(REFUSED);
    expect(await confirm(STRANGER, third)).to.equal('done');
  });

  it('sends twenty mails a day to one stranger, and further mails to home', async () => {
    for (let count = 0; count < 22; count += 1) await request(STRANGER);
    const mailed = await codes();
    expect(mailed).to.have.lengthOf(20);
    expect(await confirm(STRANGER, mailed.at(-1) ?? '')).to.equal('done');
    expect(await confirm(HOME, await codeFromHome())).to.equal('done');
    core().clock.advance(24 * 60 * MINUTE);
    await request(STRANGER);
    expect(await codes()).to.have.lengthOf(22);
  });
});
