import { expect } from 'chai';
import { unavailable } from '../../../core/errors.ts';
import { newSubscription, PRODUCTS, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('The rate that a price is converted at', () => {
  let setup: OpenedBilling;
  let requests = 0;
  let source: () => Promise<{ mid: string; effectiveDate: string }>;

  const answers = (mid: string, effectiveDate: string) => {
    source = async () => ({ mid, effectiveDate });
  };
  const down = () => {
    source = async () => {
      throw unavailable('rate_unavailable', 'Down.');
    };
  };
  const open = (before?: OpenedBilling) =>
    openBilling(
      {
        rateSource: {
          latest: () => {
            requests += 1;
            return source();
          },
        },
      },
      before && { shared: before.shared },
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

  it('is the source’s, shown with its day, and asked for once in twelve hours', async () => {
    answers('3.6521', '2026-01-01');
    expect(await shownPrice()).to.deep.equal({
      amount: 36.48,
      currency: 'PLN',
      interval: 'month',
      exchange: { rate: 3.6521, effectiveDate: '2026-01-01', stale: false },
    });
    answers('3.7', '2026-01-02');
    setup.time.now += 12 * HOUR - 1;
    expect(await exchange()).to.include({ rate: 3.6521, stale: false });
    await restart();
    expect(await exchange()).to.include({ rate: 3.6521, stale: false });
    expect(requests).to.equal(1);
    setup.time.now += 1;
    expect(await exchange()).to.deep.equal({ rate: 3.7, effectiveDate: '2026-01-02', stale: false });
    expect(requests).to.equal(2);
  });

  it('is asked for once by many at a time', async () => {
    answers('3.6521', '2026-01-01');
    const all = await Promise.all(Array.from({ length: 50 }, exchange));
    expect(requests).to.equal(1);
    for (const { rate } of all) expect(rate).to.equal(3.6521);
  });

  it('stays the last good one while the source is down, over restarts too, and is marked as stale', async () => {
    answers('3.6521', '2026-01-01');
    await shownPrice();
    down();
    setup.time.now += 12 * HOUR;
    const expected = { rate: 3.6521, effectiveDate: '2026-01-01', stale: true };
    expect(await exchange()).to.deep.equal(expected);
    await restart();
    expect(await exchange()).to.deep.equal(expected);
    expect(requests).to.equal(3);
    // A source that is down is asked once a minute.
    setup.time.now += MINUTE - 1;
    expect(await exchange()).to.deep.equal(expected);
    expect(requests).to.equal(3);
    setup.time.now += 1;
    answers('3.7', '2026-01-02');
    expect(await exchange()).to.deep.equal(expected);
    await until(async () => !(await exchange()).stale);
    expect(await exchange()).to.deep.equal({ rate: 3.7, effectiveDate: '2026-01-02', stale: false });
    expect(requests).to.equal(4);
  });

  it('is asked for again after the clock was set back by hours', async () => {
    down();
    expect(await exchange()).to.include({ rate: 4, stale: true });
    answers('3.7', '2026-01-02');
    setup.time.now -= 6 * HOUR;
    expect(await exchange()).to.include({ rate: 3.7, stale: false });
    expect(requests).to.equal(2);
    answers('3.8', '2026-01-03');
    setup.time.now -= 6 * HOUR;
    expect(await exchange()).to.include({ rate: 3.8, stale: false });
  });

  it('is given at once while a source hangs that gave no answer before', async () => {
    answers('3.6521', '2026-01-01');
    await shownPrice();
    down();
    setup.time.now += 12 * HOUR;
    await shownPrice();
    let letGo: () => void = () => expect.fail('Nothing hangs.');
    source = () =>
      new Promise((resolve) => {
        letGo = () => resolve({ mid: '3.7', effectiveDate: '2026-01-02' });
      });
    setup.time.now += MINUTE;
    expect(await exchange()).to.include({ rate: 3.6521, stale: true });
    setup.time.now += MINUTE;
    expect(await exchange()).to.include({ rate: 3.6521, stale: true });
    expect(requests).to.equal(3);
    letGo();
    await until(async () => !(await exchange()).stale);
    expect(await exchange()).to.include({ rate: 3.7 });
    // It is well again: whoever comes when the rate is old waits for it.
    setup.time.now += 12 * HOUR;
    answers('3.8', '2026-01-03');
    await until(async () => (await exchange()).rate === 3.8);
    expect(await exchange()).to.include({ rate: 3.8, stale: false });
  });

  it('is the configured one before the first good answer, from which nothing jumps', async () => {
    down();
    expect(await shownPrice()).to.deep.equal({
      amount: 39.96,
      currency: 'PLN',
      interval: 'month',
      exchange: { rate: 4, effectiveDate: '2026-01-01', stale: true },
    });
    // The source is not asked again before a minute has passed.
    expect(await exchange()).to.include({ rate: 4, stale: true });
    setup.time.now += MINUTE;
    answers('1.5', '2026-01-01');
    expect(await exchange()).to.include({ rate: 1.5, stale: false });
  });

  it('is never what is no positive number', async () => {
    for (const mid of ['0', '-4', 'x', '', '1e3', 'NaN']) {
      answers(mid, '2026-01-01');
      setup.time.now += MINUTE;
      expect(await exchange(), mid).to.include({ rate: 4, stale: true });
      const { event, fields } = setup.lines.at(-1) ?? {};
      expect(event).to.equal('rates.unavailable');
      expect(fields?.error).to.include({
        kind: 'unavailable',
        code: 'absurd_rate',
        message: 'The rate is not a number.',
      });
    }
  });

  it('moves by a fifth at once, and by more only when another day confirms it', async () => {
    answers('5', '2026-01-01');
    await shownPrice();
    setup.time.now += 12 * HOUR;
    answers('6', '2026-01-02');
    expect(await exchange()).to.include({ rate: 6 });
    setup.time.now += 12 * HOUR;
    answers('7.2001', '2026-01-03');
    expect(await exchange()).to.deep.equal({ rate: 6, effectiveDate: '2026-01-02', stale: true });
    const doubts = () => setup.lines.filter(({ event }) => event === 'rates.jump_doubted');
    expect(doubts().map(({ fields }) => fields)).to.deep.equal([{ reason: '2026-01-03' }]);
    // The same day again confirms nothing, neither after a restart.
    await restart();
    setup.time.now += MINUTE;
    expect(await exchange()).to.include({ rate: 6 });
    setup.time.now += MINUTE;
    answers('7.3', '2026-01-04');
    expect(await exchange()).to.deep.equal({ rate: 7.3, effectiveDate: '2026-01-04', stale: false });
  });

  it('is not moved by an earlier day that is told late, which the doubted day confirms then', async () => {
    const rates: number[] = [];
    for (const [mid, day] of [
      ['4', '2026-01-01'],
      ['8', '2026-01-03'],
      ['8', '2026-01-02'],
      ['8', '2026-01-03'],
    ] as const) {
      answers(mid, day);
      rates.push((await exchange()).rate);
      setup.time.now += 12 * HOUR;
    }
    expect(rates).to.deep.equal([4, 4, 4, 8]);
  });

  it('is not moved by two wrong answers that do not agree, and forgets a doubt when the old rate is back', async () => {
    answers('4', '2026-01-01');
    await shownPrice();
    setup.time.now += 12 * HOUR;
    for (const [mid, day] of [
      ['40', '2026-01-02'],
      ['0.4', '2026-01-03'],
      ['9', '2026-01-04'],
    ] as const) {
      answers(mid, day);
      expect(await exchange(), mid).to.include({ rate: 4, stale: true });
      setup.time.now += MINUTE;
    }
    answers('4.1', '2026-01-05');
    expect(await exchange()).to.include({ rate: 4.1, stale: false });
    setup.time.now += 12 * HOUR;
    answers('9', '2026-01-06');
    expect(await exchange()).to.include({ rate: 4.1, stale: true });
  });
});
