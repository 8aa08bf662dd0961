import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readConfig } from '../../../../adapters/config.ts';
import { deliverEvent, polarSettings } from '../../../support/deliver-event.ts';
import { useService } from '../../../support/service.ts';

describe('A service with BILLING=none', () => {
  const service = useService({ BILLING: 'none' });

  it('refuses the calls of its billing routes', async () => {
    const { token } = await service().signUp();
    for (const [path, status, code] of [
      ['/api/billing/checkout?plan=pro&billingCycle=monthly', 503, 'billing_unavailable'],
      ['/api/billing/checkout?plan=gold&billingCycle=monthly', 400, 'invalid_plan'],
      ['/api/billing/portal', 400, 'no_billing_customer'],
      ['/api/subscription', 404, 'no_active_subscription'],
      ['/sandbox/billing/portal/x', 404, undefined],
    ] as const) {
      const { status: actualStatus, body, headers } = await service().request('GET', path, { token });
      expect(actualStatus, path).to.equal(status);
      if (code !== undefined) expect(body.code, path).to.equal(code);
      if (status === 503) expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    }
    const { status, code } = await deliverEvent(service().url, { id: randomUUID(), body: '{}' });
    expect([status, code]).to.deep.equal([403, 'invalid_signature']);
  });

  it('lists no plans', async () => {
    const { status, body } = await service().request('GET', '/api/billing/plans');
    expect([status, body]).to.deep.equal([200, { plans: [] }]);
  });

  it('deletes accounts', async () => {
    const { token, password } = await service().signUp();
    await service().request('GET', '/api/billing/checkout?plan=pro&billingCycle=monthly', { token });
    const { status } = await service().post('/api/auth/delete-account', { password }, { token });
    expect(status).to.equal(200);
  });
});

describe('The settings of billing by Polar', () => {
  const settings: Readonly<Record<string, string>> = polarSettings('https://polar.example');
  const errorOf = (env: Readonly<Record<string, string>>): string => {
    try {
      readConfig(env, process.cwd());
    } catch (error) {
      return JSON.stringify([String(error), Object.values(Object(error))]);
    }
    return '';
  };

  it('are complete, and a missing one is named without the values of others', () => {
    expect(errorOf(settings)).to.equal('');
    for (const name of ['POLAR_ACCESS_TOKEN', 'POLAR_PRODUCTS', 'WEBHOOK_SECRETS']) {
      const { [name]: _left, ...rest } = settings;
      expect(errorOf(rest)).to.include(name);
      for (const value of Object.values(settings).slice(1, 3)) expect(errorOf(rest)).not.to.include(value);
    }
  });
});
