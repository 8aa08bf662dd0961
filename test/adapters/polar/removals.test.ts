import { expect } from 'chai';
import type { PolarProvider } from '../../../adapters/polar/provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { openStrictPolar, type StrictPolar } from '../../support/servers/strict-polar.ts';
import { BUYER, openPolar, reply, USER } from './open-polar.ts';

describe('Removals at Polar', () => {
  let polar: StrictPolar;
  const time = useFakeTime();
  let provider: PolarProvider;
  beforeEach(async () => {
    polar = await openStrictPolar();
    provider = openPolar(`${polar.url}/v1`);
  });
  afterEach(() => polar.close());

  const removalError = () => rejectionOf(() => provider.anonymise(USER));

  it('are refused after 401, 403 and 422, and unavailable after other client errors', async () => {
    for (const status of [401, 403, 422]) {
      polar.faults.push(reply(status, { error: 'NotPermitted' }));
      time.advance(1_000);
      const error = await removalError();
      expect(error).to.include({ kind: 'refused', code: 'billing_refused' });
      expect(error).to.have.property('message').that.includes(`${status}`);
    }
    for (const status of [400, 409, 410]) {
      polar.faults.push(reply(status, { error: 'Strange' }));
      time.advance(1_000);
      expect(await removalError()).to.include({ kind: 'unavailable', code: 'billing_unavailable' });
    }
    expect(provider.isUp()).to.equal(true);
  });

  it('do not block purchases while they fail', async () => {
    const [failing, throttling] = [reply(500, { error: 'Sorry' }), reply(429, {}, { 'Retry-After': '600' })];
    for (const fault of [...Array(5).fill(failing), ...Array(3).fill(throttling)]) {
      time.advance(1_000);
      polar.fault = fault;
      expect(await removalError()).to.include({ kind: 'unavailable' });
      polar.fault = undefined;
      expect(await provider.checkout(BUYER, 'pro', 'monthly')).to.be.a('string');
    }
    const removals = polar.requests.filter(({ method }) => method === 'DELETE');
    // Some removals are not sent, since Polar is down or asks for a pause.
    expect(removals.length).to.be.lessThan(12);
  });
});
