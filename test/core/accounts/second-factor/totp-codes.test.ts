import { expect } from 'chai';
import { toNextStep } from '../../../servers/accounts/second-factor/factor.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { newPassword, pendingIn, tokensIn, usePeople } from '../use-people.ts';

const REFUSED = 'invalid_two_factor_code';

describe('The code of an authenticator app', () => {
  const people = usePeople();
  const attempt = (email: string, verificationCode: string, enteredPassword = password) =>
    codeOf(people().logIn(email, { password: enteredPassword, verificationCode }));

  it('is taken of one step before and one after now, of each once, and of no others', async () => {
    const { app, email } = await people().signUpWithFactor();
    for (let step = 0; step < 10; step += 1) toNextStep(people());
    for (const steps of [-2, 2]) expect(await attempt(email, app.code(steps))).to.equal(REFUSED);
    for (const steps of [-1, 0, 1]) {
      expect(await attempt(email, app.code(steps))).to.equal('done');
      expect(await attempt(email, app.code(steps))).to.equal(REFUSED);
    }
  });

  it('is not taken of an older step after a newer one', async () => {
    const { app, email } = await people().signUpWithFactor();
    for (let step = 0; step < 3; step += 1) toNextStep(people());
    const [older, now, newer] = [app.code(-1), app.code(0), app.code(1)];
    expect(await attempt(email, newer)).to.equal('done');
    // The step that came early is used up, too.
    for (const code of [now, older, app.fresh()]) expect(await attempt(email, code)).to.equal(REFUSED);
    expect(await attempt(email, app.fresh())).to.equal('done');
  });

  it('is taken once whatever it was used for, be it the setup', async () => {
    const { accounts, signUpWithFactor } = people();
    const { app, email, who } = await signUpWithFactor();
    expect(await attempt(email, app.code())).to.equal(REFUSED);
    const verificationCode = app.fresh();
    const change = { currentPassword: password, newPassword, verificationCode };
    await accounts.changePassword(await who(), change, caller);
    expect(await attempt(email, verificationCode, newPassword)).to.equal(REFUSED);
    expect(await attempt(email, app.fresh(), newPassword)).to.equal('done');
  });

  it('may be typed as people type it, to set up, sign in and switch off', async () => {
    const { accounts, signUpWithFactor } = people();
    const { app, email, who } = await signUpWithFactor();
    const typed = (between: string) => app.fresh().replace(/^.{3}/, (first) => first + between);
    for (const between of [' ', '-', '\u00a0', '\u2013'])
      expect(await attempt(email, typed(between))).to.equal('done');
    const off = { enable: false, verificationCode: ` ${typed(' ')} ` };
    expect(await codeOf(accounts.configureTwoFactor(await who(), off, caller))).to.equal('done');
  });

  it('ends no session of the user by the calls that are refused, however many have it at once', async () => {
    const { accounts, isGood, logIn, signUpWithFactor } = people();
    const { app, email, token } = await signUpWithFactor();
    const [verificationCode, pendingToken] = [app.fresh(), pendingIn(await logIn(email))];
    const calls = Array.from({ length: 30 }, () =>
      accounts.logIn({ email, pendingToken, verificationCode }, caller),
    );
    const [answer, ...others] = (await Promise.allSettled(calls)).flatMap((call) =>
      call.status === 'fulfilled' ? [call.value] : [],
    );
    expect(others).to.deep.equal([]);
    const tokens = [token, tokensIn(answer ?? {}).token];
    expect(await Promise.all(tokens.map(isGood))).to.deep.equal([true, true]);
  });

  it('is ignored where two-factor authentication is off', async () => {
    const { email } = await people().signUp();
    expect(await attempt(email, '123456')).to.equal('done');
  });
});
