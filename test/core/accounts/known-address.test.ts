import { expect } from 'chai';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { knownAddressDigest, rememberAddress } from '../../../core/accounts/known-address.ts';
import { defaultAccountsPolicy as policy } from '../../../core/accounts/policy.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';

const DAY = 86_400_000;
const [formerKey, currentKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const digest = makeDigest([currentKey]);
const ADDRESS = '192.0.2.7';

const depsAt = (now: number, keyed = digest) => ({
  digest: keyed,
  policy,
  clock: { now: () => now },
});

const remember = (address: string, now: number, account = sampleAccount('ada')) =>
  rememberAddress(depsAt(now), account, address);

const find = (account: ReturnType<typeof remember>, address: string, now: number) =>
  knownAddressDigest(depsAt(now), account, address);

describe('A known address of an account', () => {
  it('expires 30 days after it was stored', () => {
    const account = remember(ADDRESS, NOW);
    expect(find(account, ADDRESS, NOW + 30 * DAY - 1)).to.be.a('string');
    expect(find(account, ADDRESS, NOW + 30 * DAY)).to.equal(undefined);
  });

  it('matches neither another address nor another account', () => {
    const account = remember(ADDRESS, NOW);
    expect(find(account, '192.0.2.70', NOW)).to.equal(undefined);
    const stranger = { ...sampleAccount('ken'), knownAddresses: account.knownAddresses };
    expect(find(stranger, ADDRESS, NOW)).to.equal(undefined);
  });

  it('is stored again after a day, not at each sign-in', () => {
    const account = remember(ADDRESS, NOW);
    expect(remember(ADDRESS, NOW + DAY - 1, account)).to.equal(account);
    const later = remember(ADDRESS, NOW + DAY, account);
    expect(later.knownAddresses).to.have.lengthOf(1);
    expect(find(later, ADDRESS, NOW + 31 * DAY - 1)).to.be.a('string');
  });

  it('replaces the oldest address if the account already has twenty', () => {
    let account = sampleAccount('ada');
    for (let host = 1; host <= 21; host += 1) account = remember(`192.0.2.${host}`, NOW + host, account);
    expect(account.knownAddresses).to.have.lengthOf(20);
    expect(find(account, '192.0.2.1', NOW + 30)).to.equal(undefined);
    expect(find(account, '192.0.2.2', NOW + 30)).to.be.a('string');
    expect(find(account, '192.0.2.21', NOW + 30)).to.be.a('string');
  });

  it('stays known during a rotation of the hash key, and is stored under the new key after a day', () => {
    const before = rememberAddress(depsAt(NOW, makeDigest([formerKey])), sampleAccount('ada'), ADDRESS);
    const rotating = makeDigest([currentKey, formerKey]);
    const knownDigest = before.knownAddresses[0]?.digest;
    expect(knownAddressDigest(depsAt(NOW, rotating), before, ADDRESS)).to.equal(knownDigest);
    const renewed = rememberAddress(depsAt(NOW + DAY, rotating), before, ADDRESS);
    expect(renewed.knownAddresses).to.have.lengthOf(1);
    expect(renewed.knownAddresses[0]?.digest).to.not.equal(knownDigest);
  });
});
