import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// IANA's special-purpose registries (RFC 6890), and what embeds an IPv4 address. Of IPv6 only global unicast is public.
const PRIVATE_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Not in a registry: the host of Azure's virtual machines.
  '168.63.129.16/32',
];
const PUBLIC_6 = ['2000::/3'];
const PRIVATE_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const private4 = listOf(PRIVATE_4, 'ipv4');
const public6 = listOf(PUBLIC_6, 'ipv6');
const private6 = listOf(PRIVATE_6, 'ipv6');

/** Whether an IP address can be reached from anywhere: neither this machine's, nor of a private or reserved network. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !private4.check(address, 'ipv4');
  return isIP(address) === 6 && public6.check(address, 'ipv6') && !private6.check(address, 'ipv6');
};

/** The IP address that a URL names in place of a host name. */
export const addressIn = ({ hostname }: URL): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
};

/** A host name stands for an address that is not public. */
export class PrivateAddress extends Error {}

/**
 * Looks a name up for a connection, which then goes to just these addresses: nobody can answer anew in between. Fails with
 * `PrivateAddress` if any of them is not public.
 */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new PrivateAddress(), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
