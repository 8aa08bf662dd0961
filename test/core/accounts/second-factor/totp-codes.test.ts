import { expect } from 'chai';
import { toNextStep } from '../../../servers/accounts/second-factor/factor.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { newPassword, pendingTokenIn, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const REFUSED = 'invalid_two_factor_code';

describe('The code of an authenticator app', () => {
  const core = useAccounts();
  const attempt = (email: string, verificationCode: string, enteredPassword = password) =>
    codeOf(core().logIn(email, { password: enteredPassword, verificationCode }));

  it('is accepted once for the current step and its two neighbours, and for no other step', async () => {
    const { app, email } = await core().signUpWithFactor();
    for (let step = 0; step < 10; step += 1) toNextStep(core());
    for (const steps of [-2, 2]) expect(await attempt(email, app.code(steps))).to.equal(REFUSED);
    for (const steps of [-1, 0, 1]) {
      expect(await attempt(email, app.code(steps))).to.equal('done');
      expect(await attempt(email, app.code(steps))).to.equal(REFUSED);
    }
  });

  it('is refused for an older step after a newer one was used', async () => {
    const { app, email } = await core().signUpWithFactor();
    for (let step = 0; step < 3; step += 1) toNextStep(core());
    const [older, now, newer] = [app.code(-1), app.code(0), app.code(1)];
    expect(await attempt(email, newer)).to.equal('done');
    // The newer step is used up as well.
    for (const code of [now, older, app.fresh()]) expect(await attempt(email, code)).to.equal(REFUSED);
    expect(await attempt(email, app.fresh())).to.equal('done');
  });

  it('is accepted once over all calls, including the setup', async () => {
    const { accounts, signUpWithFactor } = core();
    const { app, email, principal } = await signUpWithFactor();
    expect(await attempt(email, app.code())).to.equal(REFUSED);
    const verificationCode = app.fresh();
    const change = { currentPassword: password, newPassword, verificationCode };
    await accounts.changePassword(await principal(), change, caller);
    expect(await attempt(email, verificationCode, newPassword)).to.equal(REFUSED);
    expect(await attempt(email, app.fresh(), newPassword)).to.equal('done');
  });

  it('is accepted with blanks and dashes at sign-in and to turn the factor off', async () => {
    const { accounts, signUpWithFactor } = core();
    const { app, email, principal } = await signUpWithFactor();
    const typed = (between: string) => app.fresh().replace(/^.{3}/, (first) => first + between);
    for (const between of [' ', '-', '\u00a0', '\u2013'])
      expect(await attempt(email, typed(between))).to.equal('done');
    const off = { enable: false, verificationCode: ` ${typed(' ')} ` };
    expect(await codeOf(accounts.configureTwoFactor(await principal(), off, caller))).to.equal('done');
  });

  it('opens one session if thirty calls use it concurrently, and the others end no session', async () => {
    const { accounts, isActive, logIn, signUpWithFactor } = core();
    const { app, email, token } = await signUpWithFactor();
    const [verificationCode, pendingToken] = [app.fresh(), pendingTokenIn(await logIn(email))];
    const calls = Array.from({ length: 30 }, () =>
      accounts.logIn({ email, pendingToken, verificationCode }, caller),
    );
    const [answer, ...others] = (await Promise.allSettled(calls)).flatMap((call) =>
      call.status === 'fulfilled' ? [call.value] : [],
    );
    expect(others).to.deep.equal([]);
    const tokens = [token, tokensIn(answer ?? {}).token];
    expect(await Promise.all(tokens.map(isActive))).to.deep.equal([true, true]);
  });

  it('is ignored while two-factor authentication is off', async () => {
    const { email } = await core().signUp();
    expect(await attempt(email, '123456')).to.equal('done');
  });
});
