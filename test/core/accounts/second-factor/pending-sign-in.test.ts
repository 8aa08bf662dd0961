import { expect } from 'chai';
import { signInChallenge } from '../../../../core/accounts/second-factor/pending-sign-in.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { newPassword, pendingIn, usePeople } from '../use-people.ts';

const MINUTE = 60_000;
const REFUSED = 'wrong_credentials';

describe('The pending token of a sign-in', () => {
  const people = usePeople();
  const pendingFor = async (email: string) => pendingIn(await people().logIn(email));
  const finish = (email: string, pendingToken: string, verificationCode: string) =>
    codeOf(people().accounts.logIn({ email, pendingToken, verificationCode }, caller));

  it('has the form of the example in its description', async () => {
    const { email } = await people().signUpWithFactor();
    const examples = signInChallenge.properties?.pendingToken?.examples ?? [];
    const form = (token: unknown) => String(token).replace(/[\w-]/g, 'x');
    expect(examples.map(form)).to.deep.equal([form(await pendingFor(email))]);
  });

  it('is spent by success, not by a wrong code', async () => {
    const { app, email } = await people().signUpWithFactor();
    const pending = await pendingFor(email);
    expect(await finish(email, pending, app.wrong())).to.equal('invalid_two_factor_code');
    expect(await finish(email, pending, app.recoveryCodes[0] ?? '')).to.equal('done');
    expect(await finish(email, pending, app.fresh())).to.equal(REFUSED);
  });

  it('is good for five minutes', async () => {
    const { clock, signUpWithFactor } = people();
    const { app, email } = await signUpWithFactor();
    const [early, late] = [await pendingFor(email), await pendingFor(email)];
    clock.advance(4 * MINUTE);
    expect(await finish(email, early, app.fresh())).to.equal('done');
    clock.advance(MINUTE);
    expect(await finish(email, late, app.fresh())).to.equal(REFUSED);
  });

  it('opens only the account it was made for, as it was made, and is no refresh token', async () => {
    const { accounts, signUp, signUpWithFactor } = people();
    const [one, other] = [await signUpWithFactor(), await signUpWithFactor('grace@example.com')];
    const plain = await signUp('plain@example.com');
    const pending = await pendingFor(one.email);
    expect(await finish(other.email, pending, other.app.fresh())).to.equal(REFUSED);
    for (const email of [plain.email, 'nobody@example.com'])
      expect(await finish(email, pending, '123456')).to.equal(REFUSED);
    const [id = '', expiry = '', mark = ''] = pending.split('.');
    for (const forged of [
      `${id}.${String(Number(expiry) + MINUTE)}.${mark}`,
      `${id.slice(1)}A.${expiry}.${mark}`,
      `${id}.${expiry}.${mark.slice(1)}A`,
      `${pending}=`,
      `${id}.${expiry}`,
      'garbage',
    ])
      expect(await finish(one.email, forged, one.app.fresh()), forged).to.equal(REFUSED);
    const refresh = accounts.refresh({ refreshToken: pending }, caller);
    expect(await codeOf(refresh)).to.equal('invalid_refresh_token');
    expect(await finish(one.email, await pendingFor(one.email), one.app.fresh())).to.equal('done');
  });

  it('is void once the password is changed, or the second factor is off', async () => {
    const { accounts, signUpWithFactor } = people();
    const changed = await signUpWithFactor();
    const off = await signUpWithFactor('grace@example.com');
    const pending = [await pendingFor(changed.email), await pendingFor(off.email)] as const;
    const change = { currentPassword: password, newPassword, verificationCode: changed.app.fresh() };
    await accounts.changePassword(await changed.who(), change, caller);
    const switchOff = { enable: false, verificationCode: off.app.fresh() };
    await accounts.configureTwoFactor(await off.who(), switchOff, caller);
    expect(await finish(changed.email, pending[0], changed.app.fresh())).to.equal(REFUSED);
    expect(await finish(off.email, pending[1], off.app.fresh())).to.equal(REFUSED);
  });
});
