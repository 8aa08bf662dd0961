import { expect } from 'chai';
import { useService } from '../../../support/service.ts';

const PATHS = ['/billing/success', '/billing/return'];

for (const PAGES of ['on', 'off']) {
  describe(`The pages after a visit to the payment provider, with PAGES=${PAGES}`, () => {
    const service = useService({ PAGES, RATE_LIMIT_PAGES: '61', RATE_LIMIT_DEFAULT: '62' });

    it('have the limit and the refusals that the reference states', async () => {
      const { paths } = (await service().request('GET', '/openapi.json')).body;
      for (const path of PATHS) {
        const operation = paths?.[path]?.get;
        const { headers } = await service().request('GET', path);
        expect(headers.get('ratelimit-limit'), path).to.equal(String(operation?.['x-rate-limit']?.requests));
        for (const query of ['ui_locales=pl&ui_locales=en', 'return_to=https://evil.example']) {
          const { status, body } = await service().request('GET', `${path}?${query}`);
          if (PAGES === 'off') expect(status, query).to.equal(200);
          else expect(JSON.stringify(operation?.responses?.[status]), query).to.include(`"${body.code}"`);
        }
      }
    });
  });
}
