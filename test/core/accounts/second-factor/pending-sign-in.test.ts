import { expect } from 'chai';
import { signInChallenge } from '../../../../core/accounts/second-factor/pending-sign-in.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { newPassword, pendingTokenIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const MINUTE = 60_000;
const REFUSED = 'wrong_credentials';

describe('The pending token of a sign-in', () => {
  const core = useAccounts();
  const pendingFor = async (email: string) => pendingTokenIn(await core().logIn(email));
  const finish = (email: string, pendingToken: string, verificationCode: string) =>
    codeOf(core().accounts.logIn({ email, pendingToken, verificationCode }, caller));

  it('has the format of the example in its schema', async () => {
    const { email } = await core().signUpWithFactor();
    const examples = signInChallenge.properties?.pendingToken?.examples ?? [];
    const formatOf = (token: unknown) => String(token).replace(/[\w-]/g, 'x');
    expect(examples.map(formatOf)).to.deep.equal([formatOf(await pendingFor(email))]);
  });

  it('is spent by a successful sign-in, not by a wrong code', async () => {
    const { app, email } = await core().signUpWithFactor();
    const pending = await pendingFor(email);
    expect(await finish(email, pending, app.wrong())).to.equal('invalid_two_factor_code');
    expect(await finish(email, pending, app.recoveryCodes[0] ?? '')).to.equal('done');
    expect(await finish(email, pending, app.fresh())).to.equal(REFUSED);
  });

  it('expires after five minutes', async () => {
    const { clock, signUpWithFactor } = core();
    const { app, email } = await signUpWithFactor();
    const [early, late] = [await pendingFor(email), await pendingFor(email)];
    clock.advance(4 * MINUTE);
    expect(await finish(email, early, app.fresh())).to.equal('done');
    clock.advance(MINUTE);
    expect(await finish(email, late, app.fresh())).to.equal(REFUSED);
  });

  it('is refused for another account, if forged, and as a refresh token', async () => {
    const { accounts, signUp, signUpWithFactor } = core();
    const [user, other] = [await signUpWithFactor(), await signUpWithFactor('grace@example.com')];
    const plain = await signUp('plain@example.com');
    const pending = await pendingFor(user.email);
    expect(await finish(other.email, pending, other.app.fresh())).to.equal(REFUSED);
    for (const email of [plain.email, 'nobody@example.com'])
      expect(await finish(email, pending, '123456')).to.equal(REFUSED);
    const [id = '', expiry = '', mac = ''] = pending.split('.');
    for (const forged of [
      `${id}.${String(Number(expiry) + MINUTE)}.${mac}`,
      `${id.slice(1)}A.${expiry}.${mac}`,
      `${id}.${expiry}.${mac.slice(1)}A`,
      `${pending}=`,
      `${id}.${expiry}`,
      'garbage',
    ])
      expect(await finish(user.email, forged, user.app.fresh()), forged).to.equal(REFUSED);
    const refresh = accounts.refresh({ refreshToken: pending }, caller);
    expect(await codeOf(refresh)).to.equal('invalid_refresh_token');
    expect(await finish(user.email, await pendingFor(user.email), user.app.fresh())).to.equal('done');
  });

  it('is void after the password was changed or the second factor was turned off', async () => {
    const { accounts, signUpWithFactor } = core();
    const changed = await signUpWithFactor();
    const off = await signUpWithFactor('grace@example.com');
    const pending = [await pendingFor(changed.email), await pendingFor(off.email)] as const;
    const change = { currentPassword: password, newPassword, verificationCode: changed.app.fresh() };
    await accounts.changePassword(await changed.principal(), change, caller);
    const switchOff = { enable: false, verificationCode: off.app.fresh() };
    await accounts.configureTwoFactor(await off.principal(), switchOff, caller);
    expect(await finish(changed.email, pending[0], changed.app.fresh())).to.equal(REFUSED);
    expect(await finish(off.email, pending[1], off.app.fresh())).to.equal(REFUSED);
  });
});
