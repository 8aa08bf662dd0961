import { expect } from 'chai';
import { newAccount, tombstoneOf } from '../../../core/accounts/account.ts';
import { accountFacts } from '../../../core/accounts/account-facts.ts';

const NOW = 1_700_000_000_000;

const account = newAccount({
  id: 'id',
  email: 'ada@example.com',
  displayName: null,
  language: 'en',
  passwordHash: null,
  now: NOW,
});
const verified = { ...account, verified: true };

describe('The facts of an account', () => {
  it('name each email to which it can return once', () => {
    const former = (email: string) => ({ email, digest: 'd', askedAt: NOW, until: NOW });
    const formerEmails = ['a@example.com', 'b@example.com', 'a@example.com'].map(former);
    expect(accountFacts({ ...account, formerEmails }).formerEmails).to.deep.equal([
      'a@example.com',
      'b@example.com',
    ]);
  });

  it('list a new account as unverified since its registration', () => {
    expect(accountFacts({ ...account, registeredAt: NOW + 1 })).to.deep.equal({
      isListed: true,
      formerEmails: [],
      unverifiedSince: NOW + 1,
      isPending: false,
      isSealed: false,
      hasTwoFactor: false,
      isBilled: false,
      bannedUntil: 0,
      disabledUntil: 0,
      isOperator: false,
    });
    expect(accountFacts(verified).unverifiedSince).to.equal(null);
  });

  it('say of a tombstone neither an email nor a registration', () => {
    const facts = accountFacts(tombstoneOf(verified, NOW));
    expect(facts).to.include({ isListed: false, unverifiedSince: null, isOperator: false });
  });

  it('give a restriction its end, and one without an end the last time there is', () => {
    const ban = { reason: 'spam', at: NOW, until: null };
    const facts = accountFacts({ ...verified, banned: ban, disabled: { ...ban, until: NOW + 5 } });
    expect(facts.bannedUntil).to.equal(Number.MAX_SAFE_INTEGER);
    expect(facts.disabledUntil).to.equal(NOW + 5);
  });

  it('count the secret of a setup as sealed before it is a second factor', () => {
    const facts = accountFacts({ ...verified, twoFactorSetup: 'sealed' });
    expect(facts).to.include({ isSealed: true, hasTwoFactor: false });
  });
});
