import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';
import type { Log } from '../../core/index.ts';
import { withoutSpace } from './optional-whitespace.ts';

/** Where a request comes from. */
export interface Client {
  /** Canonical: IPv4 with dots (also for `::ffff:` addresses), IPv6 after RFC 5952. `unknown` if the connection is gone. */
  readonly address: string;
  /** The key for rate limits: the address; of an IPv6 address the /64, which a provider assigns to one customer. */
  readonly key: string;
}

/** The prefix of an IPv4 address that is written as an IPv6 address (RFC 4291 section 2.5.5.2). */
const MAPPED = '::ffff:';

/** The most hops of `X-Forwarded-For` that are read, from the right. */
const MOST_HOPS = 32;

/** The canonical spelling of an address; undefined if malformed. A zone (`%eth0`) is dropped: only its own machine knows it. */
const canonicalAddress = (text: string): string | undefined => {
  if (isIPv4(text)) return text;
  const [withoutZone = ''] = text.split('%', 1);
  if (isIP(withoutZone) !== 6) return undefined;
  const { address } = new SocketAddress({ address: withoutZone, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : address;
};

/** The /64 of a canonical IPv6 address: its first four groups. */
const prefix64 = (address: string): string => {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const lastGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  while (groups.length + lastGroups.length < 8) groups.push('0');
  return `${[...groups, ...lastGroups].slice(0, 4).join(':')}::/64`;
};

const clientAt = (address: string): Client => ({
  address,
  key: address.includes(':') ? prefix64(address) : address,
});

/**
 * Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. A hop of another form stays as it is: a part of it must not
 * pass for an address.
 */
const withoutPort = (hop: string): string => {
  if (hop.startsWith('[')) return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop;
  return /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
};

const makeIsTrusted = (proxies: readonly string[]) => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address: string) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
};

/**
 * Makes a function that finds the client's key of a connection. The key is undefined for trusted proxies, which carry requests of
 * many clients, and for connections that are gone.
 */
export const makePeerKey = (proxies: readonly string[]) => {
  const isTrusted = makeIsTrusted(proxies);
  return (remoteAddress: string | undefined): string | undefined => {
    const peer = canonicalAddress(remoteAddress ?? '');
    return peer === undefined || isTrusted(peer) ? undefined : clientAt(peer).key;
  };
};

/**
 * Makes a function that finds the client of a request: the rightmost hop of `X-Forwarded-For` that is not a trusted proxy
 * (addresses or CIDRs). A malformed hop ends the search at the proxy that reported it. The header of an untrusted peer is
 * ignored, with one warning in the life of each service.
 */
export const makeClientAddress = (proxies: readonly string[], log: Pick<Log, 'warn'>) => {
  const isTrusted = makeIsTrusted(proxies);
  let hasWarned = false;

  const rightmostUntrusted = (peer: string, forwarded: string): string => {
    let client = peer;
    for (const hop of forwarded.split(',').slice(-MOST_HOPS).reverse()) {
      if (!isTrusted(client)) return client;
      const address = canonicalAddress(withoutPort(withoutSpace(hop)));
      if (address === undefined) return client;
      client = address;
    }
    return client;
  };

  return (req: IncomingMessage): Client => {
    const peer = canonicalAddress(req.socket.remoteAddress ?? '');
    if (peer === undefined) return { address: 'unknown', key: 'unknown' };
    const forwarded = req.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return clientAt(peer);
    if (isTrusted(peer)) return clientAt(rightmostUntrusted(peer, forwarded));
    if (!hasWarned) log.warn('proxy.untrusted', { address: peer });
    hasWarned = true;
    return clientAt(peer);
  };
};
