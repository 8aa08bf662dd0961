import { expect } from 'chai';
import { password } from '../admin/open-admin-accounts.ts';
import { useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

describe('An unverified account', () => {
  const core = useAccounts();
  const register = async (email: string) => {
    await core().accounts.register({ email, password }, caller);
    await core().settle();
  };
  const purgeAfter = async (waitMs: number) => {
    const { accounts, clock } = core();
    clock.advance(waitMs);
    await accounts.background.purgeUnverified();
  };
  const exists = async (email: string) => (await core().ports.accounts.findByEmail(email)) !== undefined;

  it('is deleted after 7 days, which frees its email', async () => {
    const { logIn, mailsTo } = core();
    const email = 'forgetful@example.com';
    await register(email);
    await purgeAfter(7 * DAY - MINUTE);
    expect(await exists(email)).to.equal(true);
    await purgeAfter(2 * MINUTE);
    expect(await exists(email)).to.equal(false);
    expect(await codeOf(logIn(email))).to.equal('wrong_credentials');
    await register(email);
    expect((await mailsTo(email)).at(-1)?.text).to.not.contain('replaced');
  });

  it('is kept for 7 more days after another registration, but not after a resend', async () => {
    const [registeredAgain, resent] = ['again@example.com', 'asked@example.com'];
    for (const email of [registeredAgain, resent]) await register(email);
    core().clock.advance(6 * DAY);
    await register(registeredAgain);
    await core().accounts.resendVerification({ email: resent }, caller);
    await core().settle();
    await purgeAfter(DAY + MINUTE);
    expect([await exists(resent), await exists(registeredAgain)]).to.deep.equal([false, true]);
    await purgeAfter(6 * DAY);
    expect(await exists(registeredAgain)).to.equal(false);
  });

  it('is deleted in batches, whose sizes are returned, while verified accounts stay', async () => {
    const { accounts, clock, logIn, signUp } = core();
    const { email } = await signUp();
    for (let place = 0; place < 5; place += 1) await register(`many${place}@example.com`);
    clock.advance(8 * DAY);
    const { purgeUnverified } = accounts.background;
    const batchSizes = [await purgeUnverified(2), await purgeUnverified(2), await purgeUnverified(2)];
    expect(batchSizes).to.deep.equal([2, 2, 1]);
    expect(await purgeUnverified()).to.equal(0);
    expect(await codeOf(logIn(email))).to.equal('done');
  });
});
