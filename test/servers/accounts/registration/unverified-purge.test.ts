import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const DAY = 86_400_000;
const MINUTE = 60_000;

describe('An account that was never verified', () => {
  const service = useService();
  const records = useRecords(service);
  const register = (email: string) => service().post('/api/auth/register', { email, password: PASSWORD });
  const logIn = (email: string) => service().post('/api/auth/login', { email, password: PASSWORD });
  /** Once nothing else writes the accounts: one that is written meanwhile stays for the next round. */
  const purge = async () => {
    await records().allSent();
    await service().composition.accounts.background.purgeUnverified();
  };

  it('is gone after 7 days, not sooner, with its mail address free again', async () => {
    const email = 'forgetful@example.com';
    await register(email);
    service().clock.advance(7 * DAY - MINUTE);
    await purge();
    expect(await records().countUnverified(email)).to.equal(1);

    service().clock.advance(2 * MINUTE);
    await purge();
    expect(await records().countUnverified(email)).to.equal(0);
    expect((await logIn(email)).body).to.have.all.keys('message', 'code');
    expect((await register(email)).status).to.equal(201);
    expect((await service().mailTo(email, 2)).text).to.not.contain('replaced');
  });

  it('has 7 days more after registering again, not after a new code', async () => {
    const [again, asked] = ['again@example.com', 'asked@example.com'];
    await register(again);
    await register(asked);
    service().clock.advance(6 * DAY);
    await register(again);
    await service().post('/api/auth/resend-verification', { email: asked });
    service().clock.advance(DAY + MINUTE);
    await purge();
    expect(await records().countUnverified(asked)).to.equal(0);
    expect(await records().countUnverified(again)).to.equal(1);
    service().clock.advance(6 * DAY);
    await purge();
    expect(await records().countUnverified(again)).to.equal(0);
  });

  it('is the only one that goes', async () => {
    const user = await service().signUp();
    service().clock.advance(30 * DAY);
    await purge();
    expect((await logIn(user.email)).status).to.equal(200);
  });

  it('goes in portions, whose number is told', async () => {
    for (let place = 0; place < 5; place += 1) await register(`many${place}@example.com`);
    // Nothing writes to them from here on, so that each is removed at the first attempt.
    await records().allSent();
    service().clock.advance(8 * DAY);
    const { purgeUnverified } = service().composition.accounts.background;
    const portions = [await purgeUnverified(2), await purgeUnverified(2), await purgeUnverified(2)];
    expect(portions).to.deep.equal([2, 2, 1]);
    expect(await purgeUnverified()).to.equal(0);
  });
});
