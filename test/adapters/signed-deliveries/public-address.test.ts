import { expect } from 'chai';
import fc from 'fast-check';
import {
  addressIn,
  isPublicAddress,
  lookupPublic,
} from '../../../adapters/signed-deliveries/webhook-sender.ts';

describe('The check for public addresses', () => {
  it('refuses addresses that are local, private, link-local, multicast or for tests', () => {
    for (const address of [
      ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
      ...['172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1'],
      ...['198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
      ...['::', '::1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '3fff::1'],
      // IPv4 inside IPv6: mapped, translated, 6to4, Teredo.
      ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::1'],
    ])
      expect(isPublicAddress(address), address).to.equal(false);
  });

  it('accepts other IPv4 addresses and global unicast IPv6 addresses', () => {
    for (const address of ['1.1.1.1', '9.255.255.255', '100.128.0.1', '172.32.0.1', '2606:4700::1111'])
      expect(isPublicAddress(address), address).to.equal(true);
    expect(isPublicAddress('example.com')).to.equal(false);
  });

  it('reads the address from a URL in any spelling', () => {
    for (const [url, address] of [
      ['http://127.1/', '127.0.0.1'],
      ['http://0x7f000001/', '127.0.0.1'],
      ['http://2130706433/', '127.0.0.1'],
      ['http://0177.0.0.1/', '127.0.0.1'],
      ['https://[::1]:8443/x', '::1'],
      ['https://127.0.0.1./', '127.0.0.1'],
      ['https://example.com/', undefined],
    ] as const)
      expect(addressIn(new URL(url)), url).to.equal(address);
  });

  it('refuses every address of a private network', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '0', '169.254', '192.168', '240'),
        fc.ipV4(),
        (block, rest) => {
          const tail = rest.split('.').slice(block.split('.').length);
          expect(isPublicAddress([block, ...tail].join('.'))).to.equal(false);
        },
      ),
    );
  });

  const lookUp = (name: string, all: boolean) =>
    new Promise<unknown>((resolve) => {
      lookupPublic(name, { all }, (error, address) => resolve(error ?? address));
    });

  it('refuses a name that does not resolve to a public address', async () => {
    for (const all of [true, false]) {
      expect(await lookUp('localhost', all)).to.be.an.instanceOf(Error);
      expect(await lookUp('nobody.invalid', all)).to.be.an.instanceOf(Error);
    }
  });
});
