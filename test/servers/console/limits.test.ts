import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openConsole, operatorAt, outcome } from './opened.ts';

const ACT = '/api/admin/mails/retry';
const REFUSED = [429, 'rate_limited'];

describe('Actions at their limit', () => {
  const service = useService({ RATE_LIMIT_ACTS: '4', ADMIN_ROUTES: 'both' });

  it('are 429 with the time to wait, for one operator, at both listeners, refused ones counted', async () => {
    const [eve, dan] = [await operatorAt(service()), await operatorAt(service(), 'dev')];
    expect((await eve.act('POST', '/api/admin/audit/verify')).status).to.equal(202);
    expect(outcome(await eve.act('POST', ACT, { reason: ' ' }))).to.deep.equal([400, 'invalid_reason']);
    const elsewhere = openConsole(service(), service().url);
    elsewhere.keep(eve.cookie);
    expect((await elsewhere.post(ACT, { reason: 'there' })).status).to.equal(200);
    const last = await eve.act('POST', ACT);
    expect([last.status, last.headers.get('ratelimit-remaining')]).to.deep.equal([200, '0']);

    for (const reply of [await eve.act('POST', ACT), await elsewhere.post(ACT, { reason: 'there' })]) {
      expect(outcome(reply)).to.deep.equal(REFUSED);
      expect(reply.headers.get('ratelimit-limit')).to.equal('4');
      expect(Number(reply.headers.get('retry-after'))).to.be.within(1, 60);
    }
    // Whoever is at the limit of actions can still look, and sign out; others act from the same address.
    expect((await eve.get('/api/admin/mails')).status).to.equal(200);
    expect((await dan.act('POST', ACT)).status).to.equal(200);
  });
});
