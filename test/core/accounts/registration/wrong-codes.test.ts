import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { from, usePeople } from '../use-people.ts';

const HOUR = 3_600_000;
const HELD = 'verification_held';
const STRANGER = from('198.51.100.1');
const email = 'ada@example.com';
const UNKNOWN = 'nobody@example.com';

describe('Wrong verification codes', () => {
  const people = usePeople();
  const register = () => people().accounts.register({ email, password }, caller);
  const verify = (to: string, by = STRANGER, code = '------') =>
    codeOf(people().accounts.verifyEmail({ email: to, code }, by));
  /** The newest code, which wrong ones have not used up. */
  const freshCode = async () => {
    await people().accounts.resendVerification({ email }, caller);
    return people().codeTo(email);
  };
  const guess = async (to: string, times = 10, by = STRANGER) => {
    for (let time = 0; time < times; time += 1) expect(await verify(to, by)).to.equal('invalid_code');
  };
  const waitFor = async (to: string, code: string) => {
    const refusal = await rejectionOf(() => people().accounts.verifyEmail({ email: to, code }, STRANGER));
    expect(refusal).to.include({ kind: 'throttled', code: HELD });
    return (refusal as unknown as { facts: { retryAfter: number } }).facts.retryAfter;
  };

  it('hold an email after ten of one network, known or not, until 24 h after the first of them', async () => {
    const { clock } = people();
    await register();
    for (const to of [email, UNKNOWN]) {
      await guess(to, 1);
      clock.advance(HOUR / 2);
      await guess(to, 9);
    }
    const [known, unknown] = [await waitFor(email, await freshCode()), await waitFor(UNKNOWN, '123456')];
    expect([known, unknown]).to.deep.equal([23 * 3_600, 23.5 * 3_600]);
    expect(await verify('another@example.com')).to.equal('invalid_code');
    clock.advance(23 * HOUR - 60_000);
    // What is tried meanwhile makes it no longer.
    for (let time = 0; time < 2; time += 1) expect(await waitFor(email, '000000')).to.be.at.most(60);
    clock.advance(60_000);
    expect(await verify(email, STRANGER, await freshCode())).to.equal('done');
  });

  it('hold no other network, be the ten from before the registration', async () => {
    await guess(email);
    await register();
    expect(await verify(email, STRANGER, await freshCode())).to.equal(HELD);
    await guess(email, 4, from('198.51.100.2'));
    expect(await verify(email, caller, await freshCode())).to.equal('done');
  });

  it('bar nobody from signing up, however many came before', async () => {
    for (let network = 1; network <= 6; network += 1) await guess(email, 10, from(`198.51.100.${network}`));
    expect(await verify(email, caller)).to.equal(HELD);
    await register();
    expect(await verify(email, caller, await freshCode())).to.equal('done');
  });

  it('hold the email everywhere when there were sixty of them, one that is unknown alike', async () => {
    const { clock } = people();
    await register();
    for (const to of [email, UNKNOWN]) {
      for (let network = 1; network <= 5; network += 1) await guess(to, 10, from(`198.51.100.${network}`));
      await guess(to, 1, caller);
      await guess(to, 9, from('192.0.2.2'));
      expect(await verify(to, caller)).to.equal(HELD);
    }
    expect(await verify(email, caller, await freshCode())).to.equal(HELD);
    clock.advance(24 * HOUR);
    expect(await verify(email, caller, await freshCode())).to.equal('done');
  });

  it('are ten of a network, also of many sent at once', async () => {
    await register();
    const outcomes = await race(80, () => verify(email));
    expect(outcomes.filter((code) => code === 'invalid_code')).to.have.lengthOf(10);
    expect([await verify(email), await verify(email, caller)]).to.deep.equal([HELD, 'invalid_code']);
  });
});
