import { expect } from 'chai';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { usePeople } from '../use-people.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

describe('An account that was never verified', () => {
  const people = usePeople();
  const register = async (email: string) => {
    await people().accounts.register({ email, password }, caller);
    await people().settle();
  };
  const purgeAfter = async (milliseconds: number) => {
    const { accounts, clock } = people();
    clock.advance(milliseconds);
    await accounts.background.purgeUnverified();
  };
  const isThere = async (email: string) => (await people().ports.accounts.findByEmail(email)) !== undefined;

  it('is gone after 7 days, not sooner, with its email free again', async () => {
    const { logIn, mailsTo } = people();
    const email = 'forgetful@example.com';
    await register(email);
    await purgeAfter(7 * DAY - MINUTE);
    expect(await isThere(email)).to.equal(true);
    await purgeAfter(2 * MINUTE);
    expect(await isThere(email)).to.equal(false);
    expect(await codeOf(logIn(email))).to.equal('wrong_credentials');
    await register(email);
    expect((await mailsTo(email)).at(-1)?.text).to.not.contain('replaced');
  });

  it('has 7 days more after registering again, not after a new code', async () => {
    const [again, asked] = ['again@example.com', 'asked@example.com'];
    for (const email of [again, asked]) await register(email);
    people().clock.advance(6 * DAY);
    await register(again);
    await people().accounts.resendVerification({ email: asked }, caller);
    await people().settle();
    await purgeAfter(DAY + MINUTE);
    expect([await isThere(asked), await isThere(again)]).to.deep.equal([false, true]);
    await purgeAfter(6 * DAY);
    expect(await isThere(again)).to.equal(false);
  });

  it('is the only one that goes, and goes in portions, whose number is told', async () => {
    const { accounts, clock, logIn, signUp } = people();
    const { email } = await signUp();
    for (let place = 0; place < 5; place += 1) await register(`many${place}@example.com`);
    clock.advance(8 * DAY);
    const { purgeUnverified } = accounts.background;
    const portions = [await purgeUnverified(2), await purgeUnverified(2), await purgeUnverified(2)];
    expect(portions).to.deep.equal([2, 2, 1]);
    expect(await purgeUnverified()).to.equal(0);
    expect(await codeOf(logIn(email))).to.equal('done');
  });
});
