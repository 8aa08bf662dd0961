import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { makePace } from '../../../adapters/polar/pace.ts';
import { makePolarProvider } from '../../../adapters/polar/provider.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { openStrictPolar, POLAR_TOKEN } from '../../support/strict-polar.ts';
import { makeTestTime } from '../../support/test-time.ts';
import { until } from '../../support/until.ts';

const open = (url: string, time: ReturnType<typeof makeTestTime>) =>
  makePolarProvider({
    url,
    accessToken: POLAR_TOKEN,
    products: {},
    webhookSecrets: [],
    successUrl: () => '',
    returnUrl: () => '',
    log: makeRecordingLog(),
    time,
  });

describe('The pace of a reconciliation', () => {
  it('is even, in order, and never faster than it may be in any minute', async () => {
    const time = makeTestTime();
    const pace = makePace(time, 500);
    const begun: { readonly place: number; readonly at: number }[] = [];
    for (let place = 0; place < 1_200; place += 1) {
      void pace().then(() => begun.push({ place, at: time.now() }));
    }
    await turn();
    for (let step = 0; step < 1_600; step += 1) {
      time.advance(120);
      await turn();
    }
    expect(begun.map(({ place }) => place)).to.deep.equal(Array.from({ length: 1_200 }, (_, place) => place));
    const most = Math.max(
      ...begun.map(({ at }) => begun.filter((one) => one.at >= at && one.at < at + 60_000).length),
    );
    expect(most).to.be.within(490, 501);
  });

  it('is not saved up while nothing is asked', async () => {
    const time = makeTestTime();
    const pace = makePace(time, 60);
    await pace();
    time.advance(600_000);
    await pace();
    let begun = false;
    const third = pace().then(() => {
      begun = true;
    });
    time.advance(999);
    await turn();
    expect(begun).to.equal(false);
    time.advance(1);
    await third;
  });

  it('keeps questions for states within what the provider takes, and no purchase waits for it', async () => {
    const polar = await openStrictPolar();
    const time = makeTestTime();
    const provider = open(`${polar.url}/v1`, time);
    await provider.stateOf('a');
    const second = provider.stateOf('b');
    const [wait = 0] = time.waits;
    // 500 a minute for everything together.
    expect(wait).to.be.within(60_000 / 500, 60_000 / 200);
    expect(await provider.portal('c')).to.equal(undefined);
    expect(polar.requests).to.have.length(2);
    time.advance(wait);
    await second;
    await until(() => polar.requests.length === 3, 5_000);
    await polar.close();
  });

  it('is slower for the provider’s sandbox, which takes 100 a minute', () => {
    const time = makeTestTime();
    const provider = open('http://sandbox-api.polar.example/v1', time);
    provider.close();
    for (const one of ['a', 'b']) void provider.stateOf(one).catch(() => undefined);
    expect(time.waits[0]).to.be.within(60_000 / 100, 60_000 / 50);
  });
});
