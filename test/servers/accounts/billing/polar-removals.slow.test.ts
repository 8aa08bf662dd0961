import { expect } from 'chai';
import { polarSettings } from '../../../support/drop.ts';
import { openStrictPolar, type StrictPolar } from '../../../support/servers/strict-polar.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const CHECKOUT = '/api/billing/checkout?plan=pro&billingCycle=monthly';

describe('Removals that Polar does not make', () => {
  let polar: StrictPolar;
  let service: TestService;
  before(async () => {
    polar = await openStrictPolar();
    service = await openTestService(polarSettings(polar.url));
  });
  after(async () => {
    await service.close();
    await polar.close();
  });

  const buy = async ({ token }: User) => (await service.request('GET', CHECKOUT, { token })).status;
  const removals = () => polar.requests.filter(({ method }) => method === 'DELETE');
  const failures = () => service.log.lines.filter(({ event }) => event.startsWith('relay.'));

  const removeSome = async (count: number): Promise<readonly User[]> => {
    const users: User[] = [];
    for (let place = 0; place < count; place += 1) {
      const user = await service.signUp();
      expect(await buy(user)).to.equal(303);
      const { password, token } = user;
      const gone = await service.post('/api/auth/delete-account', { password }, { token });
      expect(gone.status).to.equal(200);
      users.push(user);
    }
    return users;
  };

  it('are kept, and said once, where it refuses them for good', async () => {
    polar.removalsFail = { status: 403, body: '{"error":"NotPermitted"}' };
    const before = removals().length;
    await removeSome(2);
    await until(() => removals().length === before + 2);
    await until(() => failures().some(({ event }) => event === 'relay.refused'));
    expect(failures().filter(({ event }) => event === 'relay.refused')).to.have.length(1);
    expect(removals()).to.have.length(before + 2);
  });

  it('are tried less and less often, fill no log, and keep none of 50 buyers from a checkout', async () => {
    const buyer = await service.signUp();
    const began = performance.now();
    polar.removalsFail = { status: 500, body: '{}' };
    const before = removals().length;
    const lines = failures().length;
    const gone = await removeSome(3);
    await until(() => removals().length > before + 6);
    const bought = await Promise.all(Array.from({ length: 50 }, () => buy(buyer)));
    expect(bought).to.deep.equal(Array(50).fill(303));
    const seconds = (performance.now() - began) / 1_000;
    // Each removal is two tries, and comes again after 1, 2, 4 … s.
    const most = 2 * (2 + Math.log2(1 + seconds / 0.8));
    expect((removals().length - before) / gone.length).to.be.at.most(most);
    expect(failures().length - lines).to.be.at.most(1 + Math.floor(seconds / 60));
    polar.removalsFail = undefined;
    for (const { id } of gone) polar.addCustomer(id);
    const isDone = () => {
      // Whatever they wait for by now.
      service.clock.advance(1_000);
      return gone.every(({ id }) => polar.anonymised.includes(id));
    };
    await until(isDone);
  });
});
