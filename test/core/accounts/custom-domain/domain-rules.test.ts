import { expect } from 'chai';
import type { Account, CustomDomain } from '../../../../core/accounts/account.ts';
import { claimedSince, withDomain } from '../../../../core/accounts/custom-domain/domain-rules.ts';
import { defaultAccountsPolicy } from '../../../../core/accounts/policy.ts';
import { CoreError } from '../../../../core/index.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';

const DAY = 86_400_000;
const policy = defaultAccountsPolicy;

const own = (domain: string, claimedAt: number): CustomDomain => ({
  domain,
  token: 'token',
  verified: false,
  claimedAt,
});

/** Claims a domain in place of the previous domain, as the use case does. */
const claim = (account: Account, domain: string, now: number) =>
  withDomain(account, own(domain, claimedSince(account, domain, now, policy)), now, policy);
const giveUp = (account: Account, now: number) => withDomain(account, null, now, policy);

describe('A domain that was given up', () => {
  const fresh = sampleAccount('ada');

  it('keeps the time of its first claim if it is claimed again', () => {
    let account = claim(fresh, 'acme.dev', NOW);
    for (let day = 6; day < 400; day += 6) {
      account = claim(giveUp(account, NOW + day * DAY), 'acme.dev', NOW + day * DAY);
      expect(account.customDomain?.claimedAt).to.equal(NOW);
    }
  });

  it('keeps the time of its first claim if another domain replaced it in between', () => {
    const replaced = claim(claim(fresh, 'acme.dev', NOW), 'other.dev', NOW + DAY);
    expect(replaced.customDomain?.claimedAt).to.equal(NOW + DAY);
    expect(claim(replaced, 'acme.dev', NOW + 2 * DAY).customDomain?.claimedAt).to.equal(NOW);
  });

  it('is forgotten after 30 days', () => {
    const account = giveUp(claim(fresh, 'acme.dev', NOW), NOW + DAY);
    const startAfter = (days: number) => claimedSince(account, 'acme.dev', NOW + DAY + days * DAY, policy);
    expect(startAfter(29.9)).to.equal(NOW);
    expect(startAfter(30)).to.equal(NOW + 31 * DAY);
  });

  it('is remembered once, until it expires or is claimed again', () => {
    let account = fresh;
    for (let day = 0; day < 5; day += 1) account = giveUp(claim(account, 'acme.dev', NOW), NOW + day * DAY);
    expect(account.formerDomains).to.deep.equal([
      { domain: 'acme.dev', claimedAt: NOW, forgetAt: NOW + 34 * DAY },
    ]);
    const later = giveUp(claim(account, 'other.dev', NOW + 40 * DAY), NOW + 41 * DAY);
    expect(later.formerDomains.map(({ domain }) => domain)).to.deep.equal(['other.dev']);
    expect(claim(later, 'other.dev', NOW + 42 * DAY).formerDomains).to.deep.equal([]);
  });

  it('counts towards a limit of fifty, which blocks new domains but no former domain', () => {
    let account = fresh;
    for (let number = 0; number < 50; number += 1) {
      account = giveUp(claim(account, `d${number}.dev`, NOW + number), NOW + number);
    }
    expect(account.formerDomains).to.have.length(50);
    expect(claim(account, 'd7.dev', NOW + DAY).customDomain?.claimedAt).to.equal(NOW + 7);
    expect(() => claim(account, 'more.dev', NOW + 29.5 * DAY))
      .to.throw(CoreError)
      .that.deep.includes({ kind: 'throttled', code: 'too_many_domains', facts: { retryAfter: 43_200 } });
    expect(claim(account, 'more.dev', NOW + 30 * DAY).customDomain?.domain).to.equal('more.dev');
  });

  it('is claimed as of now if its first claim lies in the future', () => {
    const account = giveUp(claim(fresh, 'acme.dev', NOW + 400 * DAY), NOW + 400 * DAY);
    expect(claimedSince(account, 'acme.dev', NOW, policy)).to.equal(NOW);
    const nearAccount = giveUp(claim(fresh, 'acme.dev', NOW + DAY), NOW);
    expect(claimedSince(nearAccount, 'acme.dev', NOW, policy)).to.equal(NOW);
  });
});
