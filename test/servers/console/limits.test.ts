import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openConsole, openSignedInOperator, outcome } from './console-client.ts';

const ACTION = '/api/admin/mails/retry';
const REFUSED = [429, 'rate_limited'];

describe('The rate limit of actions', () => {
  const service = useService({ RATE_LIMIT_ACTS: '4', ADMIN_ROUTES: 'both' });

  it('counts an operator’s actions at both listeners, also refused ones, and answers 429 with Retry-After', async () => {
    const [eve, dan] = [await openSignedInOperator(service()), await openSignedInOperator(service(), 'dev')];
    expect((await eve.act('POST', '/api/admin/audit/verify')).status).to.equal(202);
    expect(outcome(await eve.act('POST', ACTION, { reason: ' ' }))).to.deep.equal([400, 'invalid_reason']);
    const elsewhere = openConsole(service(), service().url);
    elsewhere.keep(eve.cookie);
    expect((await elsewhere.post(ACTION, { reason: 'there' })).status).to.equal(200);
    const last = await eve.act('POST', ACTION);
    expect([last.status, last.headers.get('ratelimit-remaining')]).to.deep.equal([200, '0']);

    for (const reply of [await eve.act('POST', ACTION), await elsewhere.post(ACTION, { reason: 'there' })]) {
      expect(outcome(reply)).to.deep.equal(REFUSED);
      expect(reply.headers.get('ratelimit-limit')).to.equal('4');
      expect(Number(reply.headers.get('retry-after'))).to.be.within(1, 60);
    }
    // Reads do not count, and other operators at the same address have their own limit.
    expect((await eve.get('/api/admin/mails')).status).to.equal(200);
    expect((await dan.act('POST', ACTION)).status).to.equal(200);
  });
});
