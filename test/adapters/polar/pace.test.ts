import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { makePace } from '../../../adapters/polar/pace.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { openStrictPolar } from '../../support/servers/strict-polar.ts';
import { until } from '../../support/until.ts';
import { openPolar } from './open-polar.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

describe('The pace of calls to a payment provider', () => {
  const time = useFakeTime();

  it('is even, keeps the order and stays within the limit of each minute', async () => {
    const pace = makePace({ perMinute: 500, ahead: 0 });
    const starts: { readonly place: number; readonly at: number }[] = [];
    for (let place = 0; place < 1_200; place += 1) {
      void pace.next(NO_LIMIT).then(() => starts.push({ place, at: time.now() }));
    }
    await turn();
    for (let step = 0; step < 1_600; step += 1) {
      time.advance(120);
      await turn();
    }
    expect(starts.map(({ place }) => place)).to.deep.equal(
      Array.from({ length: 1_200 }, (_, place) => place),
    );
    const peak = Math.max(
      ...starts.map(({ at }) => starts.filter((start) => start.at >= at && start.at < at + 60_000).length),
    );
    expect(peak).to.be.within(490, 501);
  });

  it('does not accumulate while idle', async () => {
    const pace = makePace({ perMinute: 60, ahead: 0 });
    await pace.next(NO_LIMIT);
    time.advance(600_000);
    await pace.next(NO_LIMIT);
    let hasStarted = false;
    const third = pace.next(NO_LIMIT).then(() => {
      hasStarted = true;
    });
    time.advance(999);
    await turn();
    expect(hasStarted).to.equal(false);
    time.advance(1);
    await third;
  });

  it('lets priority calls go first up to a bound, and delays the others in return', async () => {
    const pace = makePace({ perMinute: 60, ahead: 3 });
    const starts: string[] = [];
    await pace.next(NO_LIMIT);
    void pace.next(NO_LIMIT).then(() => starts.push('background'));
    for (const buyer of ['a', 'b', 'c']) {
      expect(await pace.first(0)).to.equal(true);
      starts.push(buyer);
    }
    expect(await pace.first(999)).to.equal(false);
    const fourth = pace.first(1_000).then(() => starts.push('d'));
    for (const _second of [1, 2, 3, 4, 5]) {
      time.advance(1_000);
      await turn();
    }
    await fourth;
    // The backlog of five calls from the first second has been worked off by then.
    expect(starts).to.deep.equal(['a', 'b', 'c', 'd', 'background']);
  });

  it('refuses a call whose wait would exceed its limit', async () => {
    const pace = makePace({ perMinute: 60, ahead: 0 });
    await pace.next(NO_LIMIT);
    void pace.next(1_000);
    expect(await pace.next(1_999)).to.equal(false);
    let hasStarted = false;
    void pace.next(2_000).then(() => {
      hasStarted = true;
    });
    time.advance(1_000);
    await turn();
    time.advance(1_000);
    await turn();
    expect(hasStarted).to.equal(true);
  });

  it('is shared by all calls, but purchases do not wait for reads and removals', async () => {
    const polar = await openStrictPolar();
    const provider = openPolar(`${polar.url}/v1`);
    await provider.stateOf('a');
    const later = [provider.stateOf('b'), provider.anonymise('b')];
    // Polar accepts 500 calls a minute in total.
    const wait = 60_000 / 400;
    for (const buyer of ['c', 'd', 'e']) expect(await provider.portal(buyer)).to.equal(undefined);
    expect(polar.requests).to.have.length(4);
    time.advance(3 * wait);
    await turn();
    expect(polar.requests).to.have.length(4);
    time.advance(wait);
    await until(() => polar.requests.length === 5);
    time.advance(wait);
    await Promise.all(later);
    expect(polar.requests.map(({ method }) => method)).to.deep.equal([
      ...['GET', 'POST', 'POST', 'POST'],
      ...['GET', 'DELETE'],
    ]);
    await polar.close();
  });

  it('is slower for Polar’s sandbox, which accepts 100 calls a minute', async () => {
    const provider = openPolar('http://sandbox-api.polar.example/v1');
    provider.close();
    let ended = 0;
    for (const userId of ['a', 'b']) void provider.stateOf(userId).catch(() => (ended += 1));
    time.advance(60_000 / 100 - 1);
    await turn();
    expect(ended).to.equal(1);
    time.advance(60_000 / 100);
    await turn();
    expect(ended).to.equal(2);
  });
});
