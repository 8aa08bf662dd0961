import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { drop, polarSettings } from '../../support/drop.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { BEHIND, inContestedRounds, insist, isHashedTooLate, refuseStarved } from './behind.ts';
import { openStores, type Stores } from './stores.ts';
import { password, useTwoProcesses } from './use-two-processes.ts';

const AT_ONCE = 50;
const INTERNAL_SECRET = 'in-races-only-0123456789abcdef0123456789abcdef';

describe('In two processes on one store', () => {
  const { folder, url, post, signUp } = useTwoProcesses(() => ({
    ...polarSettings('http://127.0.0.1:9'),
    INTERNAL_SECRET,
  }));
  let stores: Stores;
  before(() => {
    stores = openStores(folder());
  });
  after(() => stores.close());

  let names = 0;
  // Each race has names of its own.
  const next = () => {
    names += 1;
    return names;
  };
  const signUpEnterprise = async (email: string) => {
    const user = await signUp(email);
    const given = { token: user.token, headers: { 'x-internal-secret': INTERNAL_SECRET } };
    const granted = await insist(() => post('/api/services', { service: 'DROP', tier: 'enterprise' }, given));
    expect(granted.status).to.equal(200);
    return user;
  };
  const contest = async <T extends { readonly status: number }>(call: (place: number) => Promise<T>) => {
    const replies = await race(AT_ONCE, call);
    refuseStarved(replies);
    return replies;
  };
  /** What was answered, but that somebody should come again. */
  const said = (replies: readonly { readonly status: number }[]): ReadonlySet<number> =>
    new Set(replies.map(({ status }) => status).filter((status) => !BEHIND.includes(status)));

  it(`of ${AT_ONCE} that register an email all get one account`, () =>
    inContestedRounds(async () => {
      const email = `Racer${next()}@example.com`;
      const replies = await contest((place) =>
        post('/api/auth/register', {
          email: place % 3 === 0 ? email.toLowerCase() : email,
          password: `${password} ${place}`,
        }),
      );
      // A machine that is busy elsewhere hashes some of them too late.
      const hashed = replies.filter((reply) => !isHashedTooLate(reply));
      expect(said(hashed)).to.deep.equal(new Set([201]));
      expect(await stores.ownersOf(email.toLowerCase())).to.have.length(1);
    }));

  it(`of ${AT_ONCE} claims of a domain by two users those of one user succeed`, () =>
    inContestedRounds(async () => {
      const users = [
        await signUpEnterprise(`ada${next()}@example.com`),
        await signUpEnterprise(`bob${next()}@example.com`),
      ];
      const domain = `race${next()}.dev`;
      // Of each user half the calls go to either process.
      const replies = await contest(async (place) => {
        const { id = '', token = '' } = users[Math.floor(place / 2) % 2] ?? {};
        return { id, ...(await post('/api/user/custom-domain', { domain }, { token })) };
      });
      const winners = new Set(replies.filter(({ status }) => status === 200).map(({ id }) => id));
      expect(winners.size).to.equal(1);
      const [winner] = winners;
      const lost = replies.filter(({ id }) => id !== winner);
      expect([409]).to.include.members([...said(lost)]);
      expect(said(replies.filter(({ id }) => id === winner))).to.deep.equal(new Set([200]));
      const claims = (await stores.domains.find(domain))?.claims ?? [];
      expect(claims.map(({ userId }) => userId)).to.deep.equal([winner]);
    }));

  it(`of ${AT_ONCE} deliveries with one id one takes effect`, () =>
    inContestedRounds(async () => {
      const user = await signUp(`buyer${next()}@example.com`);
      const one = newSubscription({ userId: user.id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', one, Date.now());
      const replies = await contest(() => drop(url(), event));
      expect(said(replies)).to.deep.equal(new Set([200]));
      await until(async () => (await stores.ledger.count('pending')) === 0);
      await stores.settled();
      const done = await stores.actionsAbout(user.id);
      expect(done.filter((action) => action === 'billing.changed')).to.have.length(1);
    }));
});
