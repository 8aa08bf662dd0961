import { expect } from 'chai';
import { unavailable } from '../../../core/errors.ts';
import { newSubscription, PRODUCTS, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('The exchange rate of a price', () => {
  let setup: OpenedBilling;
  let requests = 0;
  let source: () => Promise<{ mid: string; effectiveDate: string }>;

  const setAnswer = (mid: string, effectiveDate: string) => {
    source = async () => ({ mid, effectiveDate });
  };
  const setDown = () => {
    source = async () => {
      throw unavailable('rate_unavailable', 'Down.');
    };
  };
  const open = (earlier?: OpenedBilling) =>
    openBilling(
      {
        rateSource: {
          latest: () => {
            requests += 1;
            return source();
          },
        },
      },
      earlier && { shared: earlier.shared },
    );
  const shownPrice = async () => (await setup.billing.showSubscription(USER)).price;
  const exchange = async () => (await shownPrice()).exchange;
  const restart = async () => {
    const { now } = setup.time;
    setup = open(setup);
    setup.time.now = now;
  };

  beforeEach(async () => {
    requests = 0;
    setup = open();
    await setup.addUser();
    const event = newSubscription(
      { userId: USER, productId: PRODUCTS.pro.monthly, amount: 999 },
      setup.time.now,
    );
    await setup.deliver(subscriptionEvent('active', event, setup.time.now));
    await setup.settle();
  });

  it('is the rate of the source, shown with its day, and requested once in twelve hours', async () => {
    setAnswer('3.6521', '2026-01-01');
    expect(await shownPrice()).to.deep.equal({
      amount: 36.48,
      currency: 'PLN',
      interval: 'month',
      exchange: { rate: 3.6521, effectiveDate: '2026-01-01', stale: false },
    });
    setAnswer('3.7', '2026-01-02');
    setup.time.now += 12 * HOUR - 1;
    expect(await exchange()).to.include({ rate: 3.6521, stale: false });
    await restart();
    expect(await exchange()).to.include({ rate: 3.6521, stale: false });
    expect(requests).to.equal(1);
    setup.time.now += 1;
    expect(await exchange()).to.deep.equal({ rate: 3.7, effectiveDate: '2026-01-02', stale: false });
    expect(requests).to.equal(2);
  });

  it('is requested once for many concurrent prices', async () => {
    setAnswer('3.6521', '2026-01-01');
    const all = await Promise.all(Array.from({ length: 50 }, exchange));
    expect(requests).to.equal(1);
    for (const { rate } of all) expect(rate).to.equal(3.6521);
  });

  it('stays the last valid rate while the source is down, also after a restart, but is stale', async () => {
    setAnswer('3.6521', '2026-01-01');
    await shownPrice();
    setDown();
    setup.time.now += 12 * HOUR;
    const expected = { rate: 3.6521, effectiveDate: '2026-01-01', stale: true };
    expect(await exchange()).to.deep.equal(expected);
    await restart();
    expect(await exchange()).to.deep.equal(expected);
    expect(requests).to.equal(3);
    // A source that is down receives one request a minute.
    setup.time.now += MINUTE - 1;
    expect(await exchange()).to.deep.equal(expected);
    expect(requests).to.equal(3);
    setup.time.now += 1;
    setAnswer('3.7', '2026-01-02');
    expect(await exchange()).to.deep.equal(expected);
    await until(async () => !(await exchange()).stale);
    expect(await exchange()).to.deep.equal({ rate: 3.7, effectiveDate: '2026-01-02', stale: false });
    expect(requests).to.equal(4);
  });

  it('is requested again after the clock was set back by hours', async () => {
    setDown();
    expect(await exchange()).to.include({ rate: 4, stale: true });
    setAnswer('3.7', '2026-01-02');
    setup.time.now -= 6 * HOUR;
    expect(await exchange()).to.include({ rate: 3.7, stale: false });
    expect(requests).to.equal(2);
    setAnswer('3.8', '2026-01-03');
    setup.time.now -= 6 * HOUR;
    expect(await exchange()).to.include({ rate: 3.8, stale: false });
  });

  it('is returned at once while the source hangs after a failure', async () => {
    setAnswer('3.6521', '2026-01-01');
    await shownPrice();
    setDown();
    setup.time.now += 12 * HOUR;
    await shownPrice();
    let release: () => void = () => expect.fail('No request hangs.');
    source = () =>
      new Promise((resolve) => {
        release = () => resolve({ mid: '3.7', effectiveDate: '2026-01-02' });
      });
    setup.time.now += MINUTE;
    expect(await exchange()).to.include({ rate: 3.6521, stale: true });
    setup.time.now += MINUTE;
    expect(await exchange()).to.include({ rate: 3.6521, stale: true });
    expect(requests).to.equal(3);
    release();
    await until(async () => !(await exchange()).stale);
    expect(await exchange()).to.include({ rate: 3.7 });
    // The source works again, so requests wait for it once the rate is outdated.
    setup.time.now += 12 * HOUR;
    setAnswer('3.8', '2026-01-03');
    await until(async () => (await exchange()).rate === 3.8);
    expect(await exchange()).to.include({ rate: 3.8, stale: false });
  });

  it('is the configured rate before the first valid answer, which may differ by any amount', async () => {
    setDown();
    expect(await shownPrice()).to.deep.equal({
      amount: 39.96,
      currency: 'PLN',
      interval: 'month',
      exchange: { rate: 4, effectiveDate: '2026-01-01', stale: true },
    });
    // The source receives no further request for a minute.
    expect(await exchange()).to.include({ rate: 4, stale: true });
    setup.time.now += MINUTE;
    setAnswer('1.5', '2026-01-01');
    expect(await exchange()).to.include({ rate: 1.5, stale: false });
  });

  it('is never a text that is not a positive number', async () => {
    for (const mid of ['0', '-4', 'x', '', '1e3', 'NaN']) {
      setAnswer(mid, '2026-01-01');
      setup.time.now += MINUTE;
      expect(await exchange(), mid).to.include({ rate: 4, stale: true });
      const { event, fields } = setup.lines.at(-1) ?? {};
      expect(event).to.equal('rates.unavailable');
      expect(fields?.error).to.include({
        kind: 'unavailable',
        code: 'absurd_rate',
        message: 'The rate is not a decimal above zero.',
      });
    }
  });

  it('changes by up to a fifth at once, and by more only if another day confirms the change', async () => {
    setAnswer('5', '2026-01-01');
    await shownPrice();
    setup.time.now += 12 * HOUR;
    setAnswer('6', '2026-01-02');
    expect(await exchange()).to.include({ rate: 6 });
    setup.time.now += 12 * HOUR;
    setAnswer('7.2001', '2026-01-03');
    expect(await exchange()).to.deep.equal({ rate: 6, effectiveDate: '2026-01-02', stale: true });
    const doubts = () => setup.lines.filter(({ event }) => event === 'rates.jump_doubted');
    expect(doubts().map(({ fields }) => fields)).to.deep.equal([{ reason: '2026-01-03' }]);
    // An answer of the same day confirms nothing, also after a restart.
    await restart();
    setup.time.now += MINUTE;
    expect(await exchange()).to.include({ rate: 6 });
    setup.time.now += MINUTE;
    setAnswer('7.3', '2026-01-04');
    expect(await exchange()).to.deep.equal({ rate: 7.3, effectiveDate: '2026-01-04', stale: false });
  });

  it('is not confirmed by an earlier day that arrives late, but by the doubted day after that', async () => {
    const rates: number[] = [];
    for (const [mid, day] of [
      ['4', '2026-01-01'],
      ['8', '2026-01-03'],
      ['8', '2026-01-02'],
      ['8', '2026-01-03'],
    ] as const) {
      setAnswer(mid, day);
      rates.push((await exchange()).rate);
      setup.time.now += 12 * HOUR;
    }
    expect(rates).to.deep.equal([4, 4, 4, 8]);
  });

  it('ignores doubted answers that do not agree, and drops a doubt once the old rate is back', async () => {
    setAnswer('4', '2026-01-01');
    await shownPrice();
    setup.time.now += 12 * HOUR;
    for (const [mid, day] of [
      ['40', '2026-01-02'],
      ['0.4', '2026-01-03'],
      ['9', '2026-01-04'],
    ] as const) {
      setAnswer(mid, day);
      expect(await exchange(), mid).to.include({ rate: 4, stale: true });
      setup.time.now += MINUTE;
    }
    setAnswer('4.1', '2026-01-05');
    expect(await exchange()).to.include({ rate: 4.1, stale: false });
    setup.time.now += 12 * HOUR;
    setAnswer('9', '2026-01-06');
    expect(await exchange()).to.include({ rate: 4.1, stale: true });
  });
});
