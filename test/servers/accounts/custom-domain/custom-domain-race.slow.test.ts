import { expect } from 'chai';
import { ROUNDS } from '../../../support/rounds.ts';
import type { AnyJson, Reply, TestService, User } from '../../../support/service.ts';
import { openTestService } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { signUpEnterprise } from '../entitlements/enterprise.ts';
import { logInAgain } from '../second-factor/factor.ts';
import { openStores, type Stores } from '../stores.ts';
import { DAY, domainsOf, outcome } from './domains.ts';

const rounds = Math.max(ROUNDS, process.env.LONG ? 100 : 0);
/** Calls of each user in a race. */
const CALLS = 4;
// One origin for both, as behind a load balancer.
const settings = { PUBLIC_URL: 'https://accounts.gatehouse.dev' };

describe('Two users who race for one domain', () => {
  const folder = useTempFolder();
  let here: TestService;
  let elsewhere: TestService;
  let stores: Stores;
  let ada: User;
  let bob: User;
  beforeEach(async () => {
    here = await openTestService(settings, folder());
    stores = openStores(folder());
    [ada, bob] = [await signUpEnterprise(here), await signUpEnterprise(here)];
    // Opened last, so that the first service sends the mails of the sign-ups.
    elsewhere = await openTestService(settings, folder());
  });
  afterEach(async () => {
    await Promise.all([here.close(), elsewhere.close()]);
    await stores.close();
  });

  const ofAda = domainsOf(() => here);
  const ofBob = domainsOf(() => elsewhere);
  /** Both call several times at once, each at their own service. Returns whether Ada and Bob succeeded. */
  const race = async (
    adaCalls: () => Promise<Reply>,
    bobCalls: () => Promise<Reply>,
  ): Promise<readonly [boolean, boolean]> => {
    const calls = Array.from({ length: CALLS }, () => [adaCalls(), bobCalls()]).flat();
    const outcomes = (await Promise.all(calls)).map((reply) => JSON.stringify(outcome(reply)));
    const [adas, bobs] = [0, 1].map((first) => new Set(outcomes.filter((_, place) => place % 2 === first)));
    const successes = [adas, bobs].map((results) => {
      // Not 200 for one call and 409 for another of the same user.
      expect(results?.size).to.equal(1);
      const [result] = results ?? [];
      expect(result).to.be.oneOf(['[200,null]', '[409,"domain_taken"]']);
      return result === '[200,null]';
    });
    return [successes[0] === true, successes[1] === true];
  };

  it('claim the domain for exactly one of them', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const domain = `race${round}.dev`;
      const [adaHas, bobHas] = await race(
        () => ofAda.set(ada, domain),
        () => ofBob.set(bob, domain),
      );
      expect([adaHas, bobHas].filter(Boolean)).to.have.length(1);
      const shown = [(await ofAda.show(ada)).body, (await ofBob.show(bob)).body];
      expect(shown.map(({ customDomain }) => String(customDomain) === domain)).to.deep.equal([
        adaHas,
        bobHas,
      ]);
      const claims = (await stores.domains.find(domain))?.claims ?? [];
      expect(claims.map(({ userId }) => userId)).to.deep.equal([adaHas ? ada.id : bob.id]);
      await Promise.all([ofAda.remove(ada), ofBob.remove(bob)]);
    }
  });

  it('verify the domain for exactly one of them', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const domain = `verify${round}.dev`;
      const first = await ofAda.set(ada, domain);
      for (const { clock } of [here, elsewhere]) clock.advance(7 * DAY);
      [ada, bob] = [await logInAgain(here, ada), await logInAgain(here, bob)];
      const second = await ofBob.set(bob, domain);
      ofAda.put(first.body.verification as AnyJson);
      ofBob.put(second.body.verification as AnyJson);

      const [adaHas, bobHas] = await race(
        () => ofAda.verify(ada),
        () => ofBob.verify(bob),
      );
      expect([adaHas, bobHas].filter(Boolean)).to.have.length(1);
      const shown = [(await ofAda.show(ada)).body, (await ofBob.show(bob)).body];
      expect(shown.map((view) => view.customDomainVerified)).to.deep.equal([adaHas, bobHas]);
      const owner = (await stores.domains.find(domain))?.owner;
      expect(owner?.userId).to.equal(adaHas ? ada.id : bob.id);
      await Promise.all([ofAda.remove(ada), ofBob.remove(bob)]);
      expect(await stores.domains.find(domain)).to.equal(undefined);
    }
  });

  it('leave the domain to the second user if the first removes it meanwhile', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const domain = `left${round}.dev`;
      await ofAda.set(ada, domain);
      const [, reply] = await Promise.all([ofAda.remove(ada), ofBob.set(bob, domain)]);
      expect(reply.status).to.be.oneOf([200, 409]);
      expect((await ofBob.set(bob, domain)).status).to.equal(200);
      const claims = (await stores.domains.find(domain))?.claims ?? [];
      expect(claims.map(({ userId }) => userId)).to.deep.equal([bob.id]);
      await ofBob.remove(bob);
    }
  });
});
