import { expect } from 'chai';
import type { PolarProvider } from '../../../adapters/polar/provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { openStrictPolar, type StrictPolar } from '../../support/servers/strict-polar.ts';
import { openPolar, reply, USER } from './open-polar.ts';

const NEW = 'new@example.com';

describe('The change of a customer’s email at Polar', () => {
  let polar: StrictPolar;
  let log: ReturnType<typeof makeRecordingLog>;
  let provider: PolarProvider;
  beforeEach(async () => {
    polar = await openStrictPolar();
    log = makeRecordingLog();
    provider = openPolar(`${polar.url}/v1`, { log });
  });
  afterEach(() => polar.close());

  it('has no effect for a user who is no customer', async () => {
    await provider.changeEmail(USER, NEW);
    expect(log.lines).to.deep.equal([]);
  });

  it('is given up, and logged, if another customer has the email', async () => {
    polar.addCustomer(USER);
    polar.addCustomer('another');
    await provider.changeEmail('another', NEW);
    await provider.changeEmail(USER, NEW);
    expect(polar.customers.get(USER)?.email).to.equal(undefined);
    expect(log.lines).to.deep.equal([
      { level: 'warn', event: 'billing.refused', fields: { userId: USER, reason: '422 body.email' } },
    ]);
  });

  it('is read with the state of the customer', async () => {
    polar.addCustomer(USER);
    expect((await provider.stateOf(USER)).customer?.email).to.equal('buyer@example.com');
    await provider.changeEmail(USER, NEW);
    expect((await provider.stateOf(USER)).customer?.email).to.equal(NEW);
  });

  it('is refused while the token is not valid or lacks a scope', async () => {
    for (const status of [401, 403]) {
      polar.faults.push(reply(status, { error: 'insufficient_scope' }));
      expect(await rejectionOf(() => provider.changeEmail(USER, NEW))).to.include({
        kind: 'refused',
        code: 'billing_refused',
      });
    }
  });
});
