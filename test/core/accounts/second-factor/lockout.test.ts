import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { type AccountsContext, newPassword, pendingTokenIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REFUSED = 'invalid_two_factor_code';
const HELD = 'two_factor_held';

type User = Awaited<ReturnType<AccountsContext['signUpWithFactor']>>;

describe('Wrong two-factor codes', () => {
  const core = useAccounts();
  const attempt = ({ email }: User, verificationCode: string, enteredPassword = password) =>
    codeOf(core().logIn(email, { password: enteredPassword, verificationCode }));
  const attemptRight = (user: User) => attempt(user, user.app.fresh());
  const guess = async (user: User, times: number) => {
    for (let time = 0; time < times; time += 1)
      expect(await attempt(user, user.app.wrong())).to.equal(REFUSED);
  };
  const expectHeld = async (user: User, seconds: number) => {
    const refusal = await rejectionOf(() =>
      core().logIn(user.email, { verificationCode: user.app.recoveryCodes[0] ?? '' }),
    );
    expect(refusal).to.include({ kind: 'throttled', code: HELD });
    // Each fresh code advances the clock by up to half a minute.
    expect(refusal)
      .to.have.nested.property('facts.retryAfter')
      .that.is.within(seconds - 150, seconds);
  };
  /** Makes every call that needs a code, also the second step of a sign-in with the pending token. */
  const everyCall = async ({ email, principal }: User, verificationCode: string, pendingToken: string) => {
    const { accounts } = core();
    const currentPrincipal = await principal();
    const change = { currentPassword: password, newPassword, verificationCode };
    return [
      await codeOf(
        accounts.configureTwoFactor(currentPrincipal, { enable: false, verificationCode }, caller),
      ),
      await codeOf(accounts.renewRecoveryCodes(currentPrincipal, { verificationCode }, caller)),
      await codeOf(accounts.changePassword(currentPrincipal, change, caller)),
      await codeOf(accounts.deleteAccount(currentPrincipal, { password, verificationCode }, caller)),
      await codeOf(accounts.logIn({ email, pendingToken, verificationCode }, caller)),
    ];
  };

  it('lock the second factor for 15 minutes after five in a row, also for right codes', async () => {
    const { clock, isActive, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    await guess(user, 5);
    expect([await attempt(user, user.app.wrong()), await attemptRight(user)]).to.deep.equal([HELD, HELD]);
    await expectHeld(user, 900);
    clock.advance(14 * MINUTE);
    expect(await attemptRight(user)).to.equal(HELD);
    clock.advance(MINUTE);
    expect(await attemptRight(user)).to.equal('done');
    expect(await isActive(user.token)).to.equal(true);
  });

  it('count together and lock the second factor in every call that needs a code', async () => {
    const { logIn, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    const pendingToken = pendingTokenIn(await logIn(user.email));
    expect(await everyCall(user, user.app.wrong(), pendingToken)).to.deep.equal(Array(5).fill(REFUSED));
    expect(await everyCall(user, user.app.fresh(), pendingToken)).to.deep.equal(Array(5).fill(HELD));
  });

  it('in a row are reset by a right code', async () => {
    const user = await core().signUpWithFactor();
    for (let time = 0; time < 2; time += 1) {
      await guess(user, 4);
      expect(await attemptRight(user)).to.equal('done');
    }
  });

  it('lock the second factor after ten, despite right codes, until 24 h after the first', async () => {
    const { clock, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    for (let time = 0; time < 2; time += 1) {
      await guess(user, 4);
      await attemptRight(user);
      clock.advance(HOUR);
    }
    await guess(user, 2);
    await expectHeld(user, 22 * 3600);
    clock.advance(21 * HOUR);
    expect(await attemptRight(user)).to.equal(HELD);
    clock.advance(HOUR);
    expect(await attemptRight(user)).to.equal('done');
  });

  it('are counted from zero after 24 hours', async () => {
    const { clock, signUpWithFactor } = core();
    const user = await signUpWithFactor();
    for (const pause of [24 * HOUR, 0, 0]) {
      await guess(user, 4);
      expect(await attemptRight(user)).to.equal('done');
      clock.advance(pause);
    }
  });

  it('do not include used codes of the app or used recovery codes', async () => {
    const user = await core().signUpWithFactor();
    for (const code of [user.app.fresh(), user.app.recoveryCodes[0] ?? '']) {
      expect(await attempt(user, code)).to.equal('done');
      for (let time = 0; time < 12; time += 1) expect(await attempt(user, code)).to.equal(REFUSED);
    }
    expect(await attemptRight(user)).to.equal('done');
  });

  for (const [duration, groups] of [
    ['15 minutes', [5]],
    ['a day', [5, 5]],
  ] as const) {
    it(`lock for no longer than ${duration} if the clock is set back meanwhile`, async () => {
      const { clock, signUpWithFactor } = core();
      const user = await signUpWithFactor();
      clock.advance(3 * 24 * HOUR);
      for (const times of groups) {
        await guess(user, times);
        clock.advance(15 * MINUTE);
      }
      clock.advance(-15 * MINUTE);
      expect(await attemptRight(user)).to.equal(HELD);
      clock.advance(-3 * 24 * HOUR);
      expect(await attemptRight(user)).to.equal('done');
    });
  }

  it('do not lock another user, and the lockout outlasts a password reset', async () => {
    const { accounts, codeTo, signUpWithFactor } = core();
    const [user, other] = [await signUpWithFactor(), await signUpWithFactor('grace@example.com')];
    await guess(user, 5);
    expect(await attemptRight(other)).to.equal('done');
    const { email } = user;
    await accounts.requestPasswordReset({ email }, caller);
    await accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, caller);
    expect(await attempt(user, user.app.fresh(), newPassword)).to.equal(HELD);
  });
});
