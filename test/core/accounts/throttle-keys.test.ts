import { expect } from 'chai';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { defaultAccountsPolicy as policy } from '../../../core/accounts/policy.ts';
import * as keys from '../../../core/accounts/throttle-keys.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';

const DAY = 86_400_000;
const [old, current] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const digest = makeDigest([current]);
const EMAIL = 'ada@example.com';
const ADDRESS = '192.0.2.7';

const remember = (address: string, now: number, account = sampleAccount('ada')) =>
  keys.rememberAddress(digest, policy, account, address, now);

const find = (account: ReturnType<typeof remember>, address: string, now: number) =>
  keys.knownAddressDigest(digest, policy, account, address, now);

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

describe('An address that the owner uses', () => {
  it('is known for 30 days after it was noted', () => {
    const account = remember(ADDRESS, NOW);
    expect(find(account, ADDRESS, NOW + 30 * DAY - 1)).to.be.a('string');
    expect(find(account, ADDRESS, NOW + 30 * DAY)).to.equal(undefined);
  });

  it('is known to its account alone, and is no other address', () => {
    const account = remember(ADDRESS, NOW);
    expect(find(account, '192.0.2.70', NOW)).to.equal(undefined);
    const stranger = { ...sampleAccount('ken'), knownAddresses: account.knownAddresses };
    expect(find(stranger, ADDRESS, NOW)).to.equal(undefined);
  });

  it('is noted anew after a day, not with each login', () => {
    const account = remember(ADDRESS, NOW);
    expect(remember(ADDRESS, NOW + DAY - 1, account)).to.equal(account);
    const later = remember(ADDRESS, NOW + DAY, account);
    expect(later.knownAddresses).to.have.lengthOf(1);
    expect(find(later, ADDRESS, NOW + 31 * DAY - 1)).to.be.a('string');
  });

  it('makes room for newer ones: twenty are kept', () => {
    let account = sampleAccount('ada');
    for (let host = 1; host <= 21; host += 1) account = remember(`192.0.2.${host}`, NOW + host, account);
    expect(account.knownAddresses).to.have.lengthOf(20);
    expect(find(account, '192.0.2.1', NOW + 30)).to.equal(undefined);
    expect(find(account, '192.0.2.2', NOW + 30)).to.be.a('string');
    expect(find(account, '192.0.2.21', NOW + 30)).to.be.a('string');
  });

  it('stays known while the hash key is rotated, under the key it was noted with', () => {
    const before = keys.rememberAddress(makeDigest([old]), policy, sampleAccount('ada'), ADDRESS, NOW);
    const rotating = makeDigest([current, old]);
    const known = before.knownAddresses[0]?.digest;
    expect(keys.knownAddressDigest(rotating, policy, before, ADDRESS, NOW)).to.equal(known);
    const renewed = keys.rememberAddress(rotating, policy, before, ADDRESS, NOW + DAY);
    expect(renewed.knownAddresses).to.have.lengthOf(1);
    expect(renewed.knownAddresses[0]?.digest).to.not.equal(known);
  });
});
