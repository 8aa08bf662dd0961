import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { callerAt, newPassword, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const MINUTE = 60_000;
const REFUSED = 'invalid_code';

describe('A verification code', () => {
  const core = useAccounts();
  const register = async (email = 'ada@example.com') => {
    await core().accounts.register({ email, password }, caller);
    return { email, code: await core().codeTo(email) };
  };
  const verify = (email: string, code: string, by = caller) =>
    codeOf(core().accounts.verifyEmail({ email, code }, by));
  const wrongCode = (code: string, place = 0) =>
    String((Number(code) + 1 + place) % 1_000_000).padStart(6, '0');
  const resend = async (email: string) => {
    await core().accounts.resendVerification({ email }, caller);
    return core().codeTo(email);
  };

  it('is accepted once, for its own email, and publishes `user.verified`', async () => {
    const { events, settle } = core();
    const [ada, grace] = [await register(), await register('grace@example.com')];
    expect(await verify(ada.email, grace.code)).to.equal(REFUSED);
    const outcomes = await race(8, () => verify(ada.email, ada.code));
    expect(outcomes.toSorted()).to.deep.equal(['done', ...Array(7).fill(REFUSED)]);
    expect(await verify(ada.email, ada.code)).to.equal(REFUSED);
    await settle();
    expect(events.map(({ type }) => type)).to.deep.equal(['user.created', 'user.created', 'user.verified']);
  });

  it('is void after five wrong codes, not after four, and a resent code is accepted', async () => {
    const { email, code } = await register();
    const guess = async (code: string, times: number, by = caller) => {
      for (let time = 0; time < times; time += 1) await verify(email, wrongCode(code), by);
    };
    await guess(code, 5);
    expect(await verify(email, code)).to.equal(REFUSED);
    const next = await resend(email);
    // From another network, so that the limit of the first network does not apply.
    await guess(next, 4, callerAt('192.0.2.2'));
    expect(await verify(email, next, callerAt('192.0.2.2'))).to.equal('done');
  });

  it('is void after five wrong codes sent concurrently', async () => {
    const { email, code } = await register();
    await race(9, (place) => verify(email, wrongCode(code, place)));
    expect(await verify(email, code)).to.equal(REFUSED);
  });

  it('expires after 15 minutes, and is void as soon as a new code is sent', async () => {
    const { clock } = core();
    const { email, code } = await register();
    const other = await register('grace@example.com');
    clock.advance(15 * MINUTE - 5_000);
    expect(await verify(other.email, other.code)).to.equal('done');
    const next = await resend(email);
    expect(await verify(email, code)).to.equal(REFUSED);
    clock.advance(15 * MINUTE - 5_000);
    expect(await verify(email, next)).to.equal('done');
    const late = await register('late@example.com');
    clock.advance(15 * MINUTE);
    expect(await verify(late.email, late.code)).to.equal(REFUSED);
  });

  it('is sent again by a sign-in with the right password, which is refused until then', async () => {
    const { codesTo, logIn } = core();
    const { email, code } = await register();
    expect(await codeOf(logIn(email, { password: 'a wrong one' }))).to.equal('wrong_credentials');
    expect(await codesTo(email)).to.deep.equal([code]);
    expect(await rejectionOf(() => logIn(email))).to.deep.include({
      code: 'email_not_verified',
      facts: { details: { emailVerified: false, email } },
    });
    const [, next = ''] = await codesTo(email);
    expect([await verify(email, code), await verify(email, next)]).to.deep.equal([REFUSED, 'done']);
  });

  it('is not accepted as a reset code, nor a reset code in its place', async () => {
    const { accounts, codeTo, signUp } = core();
    const { email, code } = await register();
    const { email: other } = await signUp('grace@example.com');
    await accounts.requestPasswordReset({ email: other }, caller);
    const resetCode = await codeTo(other);
    expect(await codeOf(accounts.confirmPasswordReset({ email, code, newPassword }, caller))).to.equal(
      REFUSED,
    );
    expect(await verify(other, resetCode.slice(0, 6))).to.equal(REFUSED);
    expect(await verify(email, code)).to.equal('done');
    const right = { email: other, code: resetCode, newPassword };
    expect(await codeOf(accounts.confirmPasswordReset(right, caller))).to.equal('done');
  });

  it('is not sent to an unknown or a verified email', async () => {
    const { accounts, mailsTo, signUp } = core();
    const { email } = await signUp();
    const before = (await mailsTo(email)).length;
    expect(await codeOf(accounts.resendVerification({ email }, caller))).to.equal('already_verified');
    expect(await codeOf(accounts.register({ email, password }, caller))).to.equal('email_taken');
    expect(await codeOf(accounts.resendVerification({ email: 'nobody@example.com' }, caller))).to.equal(
      'done',
    );
    expect(await mailsTo(email)).to.have.length(before);
    expect(await mailsTo('nobody@example.com')).to.deep.equal([]);
  });
});
