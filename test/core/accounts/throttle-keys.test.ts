import { expect } from 'chai';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { rememberAddress } from '../../../core/accounts/known-address.ts';
import { defaultAccountsPolicy as policy } from '../../../core/accounts/policy.ts';
import * as keys from '../../../core/accounts/throttle-keys.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';

const digest = makeDigest([new Uint8Array(32).fill(2)]);
const EMAIL = 'ada@example.com';
const ADDRESS = '192.0.2.7';

const deps = { digest, policy, clock: { now: () => NOW } };

describe('The throttle keys of attempts and mails', () => {
  it('differ by purpose, email and address, and contain neither email nor address', () => {
    const [known] = rememberAddress(deps, sampleAccount('ada'), ADDRESS).knownAddresses;
    const all = [EMAIL, 'ken@example.com'].flatMap((email) => [
      keys.accountKey(digest, email),
      keys.passwordAttemptsKey(digest, email, undefined),
      keys.passwordAttemptsKey(digest, email, known?.digest),
      keys.codeAttemptsKey(digest, email, undefined),
      keys.codeAttemptsKey(digest, email, 'an id'),
      keys.networkCodeAttemptsKey(digest, email, ADDRESS),
      keys.networkCodeAttemptsKey(digest, email, '192.0.2.8'),
      keys.codeMailsKey(digest, email),
      keys.unaskedCodeMailsKey(digest, email),
      keys.networkCodeMailsKey(digest, email, ADDRESS),
      keys.networkCodeMailsKey(digest, email, '192.0.2.8'),
    ]);
    expect(new Set(all).size).to.equal(all.length);
    expect(all.join()).to.not.contain('ada').and.not.contain('example').and.not.contain('192.0');
  });

  it('share a prefix for the codes of an email, so that its lockouts end together', () => {
    for (const key of [
      keys.codeAttemptsKey(digest, EMAIL, 'an id'),
      keys.codeAttemptsKey(digest, EMAIL, undefined),
      keys.networkCodeAttemptsKey(digest, EMAIL, ADDRESS),
    ])
      expect(key.startsWith(keys.codeAttemptsOf(digest, EMAIL))).to.equal(true);
  });
});
