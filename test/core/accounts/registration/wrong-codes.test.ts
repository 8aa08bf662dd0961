import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { callerAt, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const HOUR = 3_600_000;
const HELD = 'verification_held';
const STRANGER = callerAt('198.51.100.1');
const email = 'ada@example.com';
const UNKNOWN = 'nobody@example.com';

describe('Wrong verification codes', () => {
  const core = useAccounts();
  const register = () => core().accounts.register({ email, password }, caller);
  const verify = (to: string, by = STRANGER, code = '------') =>
    codeOf(core().accounts.verifyEmail({ email: to, code }, by));
  /** A new code, for which no wrong attempt was counted yet. */
  const freshCode = async () => {
    await core().accounts.resendVerification({ email }, caller);
    return core().codeTo(email);
  };
  const guess = async (to: string, times = 10, by = STRANGER) => {
    for (let time = 0; time < times; time += 1) expect(await verify(to, by)).to.equal('invalid_code');
  };
  const lockoutOf = async (to: string, code: string) => {
    const refusal = await rejectionOf(() => core().accounts.verifyEmail({ email: to, code }, STRANGER));
    expect(refusal).to.include({ kind: 'throttled', code: HELD });
    return (refusal as unknown as { facts: { retryAfter: number } }).facts.retryAfter;
  };

  it('lock a network out of a known or unknown email after ten, until 24 h after the first', async () => {
    const { clock } = core();
    await register();
    for (const to of [email, UNKNOWN]) {
      await guess(to, 1);
      clock.advance(HOUR / 2);
      await guess(to, 9);
    }
    const [lockout, lockoutOfUnknown] = [
      await lockoutOf(email, await freshCode()),
      await lockoutOf(UNKNOWN, '123456'),
    ];
    expect([lockout, lockoutOfUnknown]).to.deep.equal([23 * 3_600, 23.5 * 3_600]);
    expect(await verify('another@example.com')).to.equal('invalid_code');
    clock.advance(23 * HOUR - 60_000);
    // Attempts during the lockout do not prolong it.
    for (let time = 0; time < 2; time += 1) expect(await lockoutOf(email, '000000')).to.be.at.most(60);
    clock.advance(60_000);
    expect(await verify(email, STRANGER, await freshCode())).to.equal('done');
  });

  it('do not lock out another network, and count from before the registration', async () => {
    await guess(email);
    await register();
    expect(await verify(email, STRANGER, await freshCode())).to.equal(HELD);
    await guess(email, 4, callerAt('198.51.100.2'));
    expect(await verify(email, caller, await freshCode())).to.equal('done');
  });

  it('from before a registration do not prevent its verification', async () => {
    for (let network = 1; network <= 6; network += 1)
      await guess(email, 10, callerAt(`198.51.100.${network}`));
    expect(await verify(email, caller)).to.equal(HELD);
    await register();
    expect(await verify(email, caller, await freshCode())).to.equal('done');
  });

  it('lock a known or unknown email for all networks after sixty', async () => {
    const { clock } = core();
    await register();
    for (const to of [email, UNKNOWN]) {
      for (let network = 1; network <= 5; network += 1)
        await guess(to, 10, callerAt(`198.51.100.${network}`));
      await guess(to, 1, caller);
      await guess(to, 9, callerAt('192.0.2.2'));
      expect(await verify(to, caller)).to.equal(HELD);
    }
    expect(await verify(email, caller, await freshCode())).to.equal(HELD);
    clock.advance(24 * HOUR);
    expect(await verify(email, caller, await freshCode())).to.equal('done');
  });

  it('of one network are limited to ten, also if many are sent concurrently', async () => {
    await register();
    const outcomes = await race(80, () => verify(email));
    expect(outcomes.filter((code) => code === 'invalid_code')).to.have.lengthOf(10);
    expect([await verify(email), await verify(email, caller)]).to.deep.equal([HELD, 'invalid_code']);
  });
});
