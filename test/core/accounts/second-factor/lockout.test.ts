import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { newPassword, type People, pendingIn, usePeople } from '../use-people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REFUSED = 'invalid_two_factor_code';
const HELD = 'two_factor_held';

type Person = Awaited<ReturnType<People['signUpWithFactor']>>;

describe('Wrong two-factor codes', () => {
  const people = usePeople();
  const attempt = ({ email }: Person, verificationCode: string, enteredPassword = password) =>
    codeOf(people().logIn(email, { password: enteredPassword, verificationCode }));
  const right = (user: Person) => attempt(user, user.app.fresh());
  const guess = async (user: Person, times: number) => {
    for (let time = 0; time < times; time += 1)
      expect(await attempt(user, user.app.wrong())).to.equal(REFUSED);
  };
  const expectHeld = async (user: Person, seconds: number) => {
    const refusal = await rejectionOf(() =>
      people().logIn(user.email, { verificationCode: user.app.recoveryCodes[0] ?? '' }),
    );
    expect(refusal).to.include({ kind: 'throttled', code: HELD });
    // Each code of a new step takes the clock up to half a minute on.
    expect(refusal)
      .to.have.nested.property('facts.retryAfter')
      .that.is.within(seconds - 150, seconds);
  };
  /** Every call that asks for a code, by a user who is at its second step with the pending token. */
  const everyCall = async ({ email, who }: Person, verificationCode: string, pendingToken: string) => {
    const { accounts } = people();
    const principal = await who();
    const change = { currentPassword: password, newPassword, verificationCode };
    return [
      await codeOf(accounts.configureTwoFactor(principal, { enable: false, verificationCode }, caller)),
      await codeOf(accounts.renewRecoveryCodes(principal, { verificationCode }, caller)),
      await codeOf(accounts.changePassword(principal, change, caller)),
      await codeOf(accounts.deleteAccount(principal, { password, verificationCode }, caller)),
      await codeOf(accounts.logIn({ email, pendingToken, verificationCode }, caller)),
    ];
  };

  it('hold the second factor for 15 minutes after five in a row, for right codes too', async () => {
    const { clock, isGood, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    await guess(user, 5);
    expect([await attempt(user, user.app.wrong()), await right(user)]).to.deep.equal([HELD, HELD]);
    await expectHeld(user, 900);
    clock.advance(14 * MINUTE);
    expect(await right(user)).to.equal(HELD);
    clock.advance(MINUTE);
    expect(await right(user)).to.equal('done');
    expect(await isGood(user.token)).to.equal(true);
  });

  it('count together, and hold it, wherever a code is asked for', async () => {
    const { logIn, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    const pendingToken = pendingIn(await logIn(user.email));
    expect(await everyCall(user, user.app.wrong(), pendingToken)).to.deep.equal(Array(5).fill(REFUSED));
    expect(await everyCall(user, user.app.fresh(), pendingToken)).to.deep.equal(Array(5).fill(HELD));
  });

  it('in a row are forgotten at a success', async () => {
    const user = await people().signUpWithFactor();
    for (let time = 0; time < 2; time += 1) {
      await guess(user, 4);
      expect(await right(user)).to.equal('done');
    }
  });

  it('are held at ten in 24 hours, until 24 hours after the first, whatever succeeded between', async () => {
    const { clock, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    for (let time = 0; time < 2; time += 1) {
      await guess(user, 4);
      await right(user);
      clock.advance(HOUR);
    }
    await guess(user, 2);
    await expectHeld(user, 22 * 3600);
    clock.advance(21 * HOUR);
    expect(await right(user)).to.equal(HELD);
    clock.advance(HOUR);
    expect(await right(user)).to.equal('done');
  });

  it('of the last 24 hours begin anew with the first one after', async () => {
    const { clock, signUpWithFactor } = people();
    const user = await signUpWithFactor();
    for (const pause of [24 * HOUR, 0, 0]) {
      await guess(user, 4);
      expect(await right(user)).to.equal('done');
      clock.advance(pause);
    }
  });

  it('are not what a code is that was used already, be it of the app or a recovery code', async () => {
    const user = await people().signUpWithFactor();
    for (const code of [user.app.fresh(), user.app.recoveryCodes[0] ?? '']) {
      expect(await attempt(user, code)).to.equal('done');
      for (let time = 0; time < 12; time += 1) expect(await attempt(user, code)).to.equal(REFUSED);
    }
    expect(await right(user)).to.equal('done');
  });

  for (const [what, groups] of [
    ['15 minutes', [5]],
    ['a day', [5, 5]],
  ] as const) {
    it(`hold for no longer than ${what} when the clock is set back meanwhile`, async () => {
      const { clock, signUpWithFactor } = people();
      const user = await signUpWithFactor();
      clock.advance(3 * 24 * HOUR);
      for (const times of groups) {
        await guess(user, times);
        clock.advance(15 * MINUTE);
      }
      clock.advance(-15 * MINUTE);
      expect(await right(user)).to.equal(HELD);
      clock.advance(-3 * 24 * HOUR);
      expect(await right(user)).to.equal('done');
    });
  }

  it('of one user hold nobody else, and a password reset keeps the hold', async () => {
    const { accounts, codeTo, signUpWithFactor } = people();
    const [user, other] = [await signUpWithFactor(), await signUpWithFactor('grace@example.com')];
    await guess(user, 5);
    expect(await right(other)).to.equal('done');
    const { email } = user;
    await accounts.requestPasswordReset({ email }, caller);
    await accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, caller);
    expect(await attempt(user, user.app.fresh(), newPassword)).to.equal(HELD);
  });
});
