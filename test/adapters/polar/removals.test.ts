import { expect } from 'chai';
import type { PolarProvider } from '../../../adapters/polar/provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { openStrictPolar, type StrictPolar } from '../../support/servers/strict-polar.ts';
import { BUYER, openPolar, says, USER } from './opened.ts';

describe('Removals at Polar', () => {
  let polar: StrictPolar;
  const time = useFakeTime();
  let provider: PolarProvider;
  beforeEach(async () => {
    polar = await openStrictPolar();
    provider = openPolar(`${polar.url}/v1`);
  });
  afterEach(() => polar.close());

  const removalFails = () => rejectionOf(() => provider.anonymise(USER));

  it('are refused for good where they would be refused again', async () => {
    for (const status of [401, 403, 422]) {
      polar.faults.push(says(status, { error: 'NotPermitted' }));
      time.advance(1_000);
      const error = await removalFails();
      expect(error).to.include({ kind: 'refused', code: 'billing_refused' });
      expect(error).to.have.property('message').that.includes(`${status}`);
    }
    for (const status of [400, 409, 410]) {
      polar.faults.push(says(status, { error: 'Strange' }));
      time.advance(1_000);
      expect(await removalFails()).to.include({ kind: 'unavailable', code: 'billing_unavailable' });
    }
    expect(provider.isUp()).to.equal(true);
  });

  it('keep nobody from buying, whatever is said to them', async () => {
    const [failing, throttling] = [says(500, { error: 'Sorry' }), says(429, {}, { 'Retry-After': '600' })];
    for (const fault of [...Array(5).fill(failing), ...Array(3).fill(throttling)]) {
      time.advance(1_000);
      polar.fault = fault;
      expect(await removalFails()).to.include({ kind: 'unavailable' });
      polar.fault = undefined;
      expect(await provider.checkout(BUYER, 'pro', 'monthly')).to.be.a('string');
    }
    const removals = polar.requests.filter(({ method }) => method === 'DELETE');
    // In that it is left alone, as any service is that is down, or asks for it.
    expect(removals.length).to.be.lessThan(12);
  });
});
