import { expect } from 'chai';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { knownAddressDigest, rememberAddress } from '../../../core/accounts/known-address.ts';
import { defaultAccountsPolicy as policy } from '../../../core/accounts/policy.ts';
import * as keys from '../../../core/accounts/throttle-keys.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';

const digest = makeDigest([new Uint8Array(32).fill(2)]);
const EMAIL = 'ada@example.com';
const ADDRESS = '192.0.2.7';

const depsAt = (now: number, keyed = digest) => ({ digest: keyed, policy, clock: { now: () => now } });

const remember = (address: string, now: number, account = sampleAccount('ada')) =>
  rememberAddress(depsAt(now), account, address);

const find = (account: ReturnType<typeof remember>, address: string, now: number) =>
  knownAddressDigest(depsAt(now), account, address);

describe('The keys that tries and mails are counted under', () => {
  it('are one for each purpose, email and known address, and name neither email nor address', () => {
    const known = find(remember(ADDRESS, NOW), ADDRESS, NOW);
    const all = [EMAIL, 'ken@example.com'].flatMap((email) => [
      keys.accountKey(digest, email),
      keys.passwordAttemptsKey(digest, email, undefined),
      keys.passwordAttemptsKey(digest, email, known),
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

  it('are all found again for an account, to end its holds', () => {
    const account = remember('192.0.2.8', NOW, remember(ADDRESS, NOW, sampleAccount('ada')));
    const places = [undefined, find(account, ADDRESS, NOW), find(account, '192.0.2.8', NOW)];
    expect(keys.passwordAttemptsKeys(digest, account)).to.have.members(
      places.map((known) => keys.passwordAttemptsKey(digest, account.email, known)),
    );
    const counted = [
      keys.codeAttemptsKey(digest, account.email, account.id),
      keys.codeAttemptsKey(digest, account.email, undefined),
      keys.networkCodeAttemptsKey(digest, account.email, ADDRESS),
    ];
    for (const key of counted)
      expect(key.startsWith(keys.codeAttemptsOf(digest, account.email))).to.equal(true);
    expect(counted[2]).to.match(new RegExp(`^${keys.networkCodeAttemptsOf(digest, account.email)}`));
  });
});
