import { expect } from 'chai';
import { CoreError, unavailable } from '../../../core/index.ts';
import type { LogLine } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const by = { actor: 'operator:cli' };
const DOWN = unavailable('billing_unavailable', 'Down.', 5);
const REFUSED = new CoreError('refused', 'billing_refused', 'No.');
const CHECKOUT = { plan: 'pro', billingCycle: 'monthly' };

describe('A pending erasure at the provider', () => {
  let setup: OpenedBilling;
  let requestTimes: number[];
  let failure: Error | undefined;
  let checkout: () => Promise<string>;

  /** Starts a process over a new or an existing store. */
  const start = (earlier?: OpenedBilling) => {
    const provider = {
      checkout: () => checkout(),
      anonymise: async () => {
        requestTimes.push(setup.time.now);
        if (failure !== undefined) throw failure;
      },
    };
    setup = openBilling({}, { provider, ...(earlier && { shared: earlier.shared }) });
    if (earlier !== undefined) setup.time.now = earlier.time.now;
  };

  beforeEach(async () => {
    [requestTimes, failure] = [[], undefined];
    checkout = async () => 'https://provider.example/checkout';
    start();
    await setup.addUser();
  });

  const restart = async () => start(setup);
  const deleteUser = async () => {
    await setup.billing.checkout(USER, CHECKOUT, '192.0.2.1');
    await setup.accounts.operate.deleteUser(USER, by);
  };
  /** Moves the clock in steps, with a round of the relay after each step. */
  const pass = async (milliseconds: number, step = SECOND) => {
    for (const end = setup.time.now + milliseconds; setup.time.now < end; ) {
      setup.time.now += step;
      await setup.accounts.background.relay();
    }
  };
  const pauses = () => requestTimes.slice(1).map((at, place) => at - (requestTimes[place] ?? at));
  const lines = (event: string): readonly LogLine[] => setup.lines.filter((line) => line.event === event);

  it('is retried after 1, 2, 4 … s and at most an hour, also after restarts', async () => {
    failure = DOWN;
    await deleteUser();
    await pass(10 * SECOND);
    await restart();
    await pass(2 * MINUTE);
    await pass(12 * HOUR, MINUTE);
    for (const [place, pause] of pauses().entries()) {
      const wait = Math.min(SECOND * 2 ** place, HOUR);
      const round = pause > MINUTE ? MINUTE : SECOND;
      expect(pause, `${place}`).to.be.within(0.8 * wait, Math.min(1.2 * wait, HOUR) + round);
    }
    expect(pauses().length).to.be.within(14, 24);
    failure = undefined;
    await pass(HOUR, MINUTE);
    expect((await setup.account()).pending).to.deep.equal([]);
  });

  it('is not delayed if the clock is set back', async () => {
    failure = DOWN;
    await deleteUser();
    failure = undefined;
    setup.time.now -= 24 * HOUR;
    await setup.relay();
    expect((await setup.account()).pending).to.deep.equal([]);
  });

  it('writes at most one log line a minute, even if many erasures fail', async () => {
    failure = DOWN;
    await deleteUser();
    const others = Array.from(
      { length: 5 },
      (_, place) => `01890a5d-ac96-774b-bcce-${`${place}`.padStart(12, '0')}`,
    );
    for (const id of others) {
      await setup.addUser(id);
      await setup.billing.checkout(id, CHECKOUT, '192.0.2.1');
      await setup.accounts.operate.deleteUser(id, by);
    }
    const failures = () => lines('relay.failed').reduce((sum, { fields }) => sum + (fields.count ?? 0), 0);
    await pass(MINUTE - SECOND);
    expect(lines('relay.failed')).to.have.length(1);
    expect(lines('relay.failed')[0]?.fields).to.deep.include({
      reason: 'erase-billing',
      userId: USER,
      count: 1,
    });
    await pass(5 * MINUTE);
    expect(lines('relay.failed').length).to.be.within(2, 6);
    expect(failures()).to.be.within(requestTimes.length / 2, requestTimes.length);
  });

  it('is retried once an hour if the provider refuses it', async () => {
    failure = REFUSED;
    await deleteUser();
    await pass(5 * HOUR + MINUTE, MINUTE);
    expect(requestTimes).to.have.length(6);
    expect(lines('relay.refused').map(({ level }) => level)).to.deep.equal(Array(6).fill('error'));
    expect(lines('relay.failed')).to.deep.equal([]);
    const { pending } = await setup.account();
    expect(pending).to.have.length(2);
    failure = undefined;
    await pass(HOUR, MINUTE);
    expect((await setup.account()).pending).to.deep.equal([]);
  });

  it('is repeated after a pending checkout completes, also after a restart', async () => {
    const customers = new Set<string>();
    let release: (url: string) => void = () => expect.fail('No checkout is pending.');
    let requests = 0;
    checkout = () => {
      requests += 1;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    const pendingCheckout = setup.billing.checkout(USER, CHECKOUT, '192.0.2.1');
    await until(() => requests === 1);
    await setup.accounts.operate.deleteUser(USER, by);
    await setup.relay();
    expect(requestTimes).to.have.length(1);
    customers.add(USER);
    release('https://provider.example/checkout');
    await pendingCheckout;
    await restart();
    await pass(5 * MINUTE - SECOND);
    expect(requestTimes).to.have.length(1);
    await pass(SECOND);
    expect(requestTimes).to.have.length(2);
    expect((await setup.account()).pending).to.deep.equal([]);
  });

  it('forbids a checkout of a user whose account was deleted', async () => {
    await setup.accounts.operate.deleteUser(USER, by);
    const refusal = await setup.billing
      .checkout(USER, CHECKOUT, '192.0.2.1')
      .catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'user_not_found' });
  });
});
