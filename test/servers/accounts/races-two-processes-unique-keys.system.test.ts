import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { deliverEvent, polarSettings } from '../../support/deliver-event.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import {
  BUSY_STATUSES,
  inContestedRounds,
  insist,
  isHashedTooLate,
  refuseStarved,
} from './contested-rounds.ts';
import { openStores, type Stores } from './stores.ts';
import { password, useTwoProcesses } from './use-two-processes.ts';

const AT_ONCE = 50;
const INTERNAL_SECRET = 'in-races-only-0123456789abcdef0123456789abcdef';

describe('The account service in two processes on one store', () => {
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
  // Each race has its own emails and domains.
  const nextNumber = () => {
    names += 1;
    return names;
  };
  const signUpEnterprise = async (email: string) => {
    const user = await signUp(email);
    const ask = { token: user.token, headers: { 'x-internal-secret': INTERNAL_SECRET } };
    const granted = await insist(() => post('/api/services', { service: 'DROP', tier: 'enterprise' }, ask));
    expect(granted.status).to.equal(200);
    return user;
  };
  const contest = async <T extends { readonly status: number }>(call: (place: number) => Promise<T>) => {
    const replies = await race(AT_ONCE, call);
    refuseStarved(replies);
    return replies;
  };
  /** The statuses of the replies, except those of a busy store. */
  const decidedStatuses = (replies: readonly { readonly status: number }[]): ReadonlySet<number> =>
    new Set(replies.map(({ status }) => status).filter((status) => !BUSY_STATUSES.includes(status)));

  it(`creates one account for ${AT_ONCE} registrations of an email`, () =>
    inContestedRounds(async () => {
      const email = `Racer${nextNumber()}@example.com`;
      const replies = await contest((place) =>
        post('/api/auth/register', {
          email: place % 3 === 0 ? email.toLowerCase() : email,
          password: `${password} ${place}`,
        }),
      );
      // On a busy machine some passwords wait too long for the hasher.
      const hashed = replies.filter((reply) => !isHashedTooLate(reply));
      expect(decidedStatuses(hashed)).to.deep.equal(new Set([201]));
      expect(await stores.ownersOf(email.toLowerCase())).to.have.length(1);
    }));

  it(`accepts the claims of one user for ${AT_ONCE} claims of a domain by two users`, () =>
    inContestedRounds(async () => {
      const users = [
        await signUpEnterprise(`ada${nextNumber()}@example.com`),
        await signUpEnterprise(`bob${nextNumber()}@example.com`),
      ];
      const domain = `race${nextNumber()}.dev`;
      // Half of the calls of each user go to each process.
      const replies = await contest(async (place) => {
        const { id = '', token = '' } = users[Math.floor(place / 2) % 2] ?? {};
        return { id, ...(await post('/api/user/custom-domain', { domain }, { token })) };
      });
      const winners = new Set(replies.filter(({ status }) => status === 200).map(({ id }) => id));
      expect(winners.size).to.equal(1);
      const [winner] = winners;
      const refusals = replies.filter(({ id }) => id !== winner);
      expect([409]).to.include.members([...decidedStatuses(refusals)]);
      expect(decidedStatuses(replies.filter(({ id }) => id === winner))).to.deep.equal(new Set([200]));
      const claims = (await stores.domains.find(domain))?.claims ?? [];
      expect(claims.map(({ userId }) => userId)).to.deep.equal([winner]);
    }));

  it(`applies one of ${AT_ONCE} webhook deliveries with one id`, () =>
    inContestedRounds(async () => {
      const user = await signUp(`buyer${nextNumber()}@example.com`);
      const subscription = newSubscription({ userId: user.id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', subscription, Date.now());
      const replies = await contest(() => deliverEvent(url(), event));
      expect(decidedStatuses(replies)).to.deep.equal(new Set([200]));
      await until(async () => (await stores.ledger.count('pending')) === 0);
      await stores.settled();
      const actions = await stores.actionsAbout(user.id);
      expect(actions.filter((action) => action === 'billing.changed')).to.have.length(1);
    }));
});
