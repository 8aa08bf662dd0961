import { expect } from 'chai';
import { openTestService } from '../../../support/service.ts';

const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: { BILLING: 'none' },
  polar: {
    BILLING: 'polar',
    POLAR_URL: 'http://127.0.0.1:1/v1',
    POLAR_ACCESS_TOKEN: 'polar_oat_of_the_tests',
    POLAR_PRODUCTS: '{"pro":{"monthly":"a"}}',
    WEBHOOK_SECRETS: 'whsec_LXEWQrcmsEQBYnyp++wy9ch7GYUn5rtpUgkuLU7Z6oE=',
  },
};

describe('The sandbox’s pages', () => {
  for (const [provider, settings] of Object.entries(choices)) {
    it(`answer as paths that there never were where ${provider} is the provider`, async () => {
      const service = await openTestService(settings);
      try {
        const never = await service.request('GET', '/sandbox/of/none');
        expect(never.status).to.equal(404);
        for (const [method, path] of [
          ['GET', '/sandbox/billing/checkout/x'],
          ['POST', '/sandbox/billing/checkout/x/pay'],
          ['GET', '/sandbox/billing/portal/x'],
          ['POST', '/sandbox/billing/portal/x/y/cancel'],
        ] as const) {
          const { status, body } = await service.request(method, path);
          expect([status, body], path).to.deep.equal([404, never.body]);
        }
      } finally {
        await service.close();
      }
    });
  }
});
