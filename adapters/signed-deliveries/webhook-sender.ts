import { createHash } from 'node:crypto';
import { lookup } from 'node:dns';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Delivery } from '../../core/outbox.ts';
import type { Clock } from '../../core/ports.ts';
import type { WebhookMessage, WebhookSender } from '../../core/webhooks/ports.ts';
import { isError } from '../calls/is-error.ts';
import { retryAfter } from '../calls/retry-after.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { signDelivery } from './signature.ts';

// IANA's special-purpose registries (RFC 6890), and IPv6 ranges that embed IPv4. Of IPv6 only global unicast is public.
const PRIVATE_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
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

/** Whether an IP address is public: neither of this machine nor of a private or reserved network. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !private4.check(address, 'ipv4');
  return isIP(address) === 6 && public6.check(address, 'ipv6') && !private6.check(address, 'ipv6');
};

/** The IP address in a URL; undefined if the URL has a host name. */
export const addressIn = ({ hostname }: URL): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
};

/** A host name resolves to an address that is not public. */
export class PrivateAddress extends Error {}

/**
 * Resolves a name for a connection, which then uses exactly these addresses: a second look-up could return others. Fails with
 * `PrivateAddress` if any of them is not public.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new PrivateAddress(), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** For one call. */
const DEADLINE_MS = 10_000;
/** The longest body of a response that is read to its end, so that the connection can be reused. */
const MOST_RESPONSE_BYTES = 65_536;

/** An address that receives events, with its secrets: each signs every delivery. */
export interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
}

const idOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** The address for display, without its query, which may be a secret. */
const nameOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

const again = (failure: string, after: number | null = null): Delivery => ({
  outcome: 'again',
  after,
  failure,
});

/** Discards the body of a response; closes the connection if the body is long. */
const drain = (response: IncomingMessage): void => {
  let bytesRead = 0;
  response.on('data', (chunk: Buffer) => {
    bytesRead += chunk.length;
    if (bytesRead > MOST_RESPONSE_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
};

const judge = ({ statusCode = 0, headers }: IncomingMessage, now: number): Delivery => {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'sent' };
  // Standard Webhooks: the receiver wants no more deliveries.
  if (statusCode === 410) return { outcome: 'refused', failure: 'gone' };
  return again(`status_${statusCode}`, retryAfter(headers['retry-after'], now));
};

/** The error code of Node.js or OpenSSL, never a message, which may contain an address. */
const judgeError = (error: unknown): Delivery => {
  if (error instanceof PrivateAddress) return again('private_address');
  if (!isError(error)) return again('unreachable');
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return again('timeout');
  const code = 'code' in error ? String(error.code) : '';
  return again(/^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code.toLowerCase() : 'unreachable');
};

/**
 * Sends signed messages by HTTP (Standard Webhooks 1.0.0). Follows no redirect, and connects to public addresses alone
 * unless `allowPrivate`. Any status of 2xx is success, 410 is a refusal for good, everything else may work later.
 */
export const makeWebhookSender = (options: {
  readonly targets: readonly Target[];
  readonly allowPrivate: boolean;
  readonly clock: Clock;
  /** Milliseconds for one call, including the look-up of the name; 10,000 by default. */
  readonly deadline?: number;
}): WebhookSender & { close(): void } => {
  const { targets, allowPrivate, clock, deadline = DEADLINE_MS } = options;
  const agentOptions = { keepAlive: true, maxSockets: 16 };
  // One agent for each target, so that targets of one host do not wait for each other's connections.
  const agents = new Map(
    targets.map(({ url }) => [
      url,
      url.startsWith('https:') ? new TlsAgent(agentOptions) : new Agent(agentOptions),
    ]),
  );
  const targetsById = new Map(targets.map((target) => [idOf(target.url), target]));

  const post = ({ url, secrets }: Target, { id, body }: WebhookMessage): Promise<Delivery> => {
    const address = new URL(url);
    const literal = addressIn(address);
    // No name is looked up for an IP address in the URL, so `lookupPublic` does not see it.
    if (!allowPrivate && literal !== undefined && !isPublicAddress(literal)) {
      return Promise.resolve(again('private_address'));
    }
    const now = clock.now();
    const signatures = secrets.map((secret) => signDelivery(secret, { id, body }, now));
    const isTls = address.protocol === 'https:';
    return new Promise((resolve) => {
      const sending = (isTls ? tlsRequest : request)(address, {
        method: 'POST',
        ...(allowPrivate ? {} : { lookup: lookupPublic }),
        agent: agents.get(url),
        signal: AbortSignal.timeout(deadline),
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'Gatehouse',
          // The headers by each secret differ in the signature alone, so the first has id and time for all.
          ...signatures[0],
          'webhook-signature': signatures.map((headers) => headers['webhook-signature']).join(' '),
          ...traceHeaders(),
        },
      });
      sending.on('response', (response) => {
        drain(response);
        resolve(judge(response, clock.now()));
      });
      // After a response these two handlers have no effect. Status 101 emits only `close`.
      sending.on('error', (error) => resolve(judgeError(error)));
      sending.on('close', () => resolve(again('unreachable')));
      sending.end(body);
    });
  };

  return {
    endpoints: targets.map(({ url }) => ({ id: idOf(url), name: nameOf(url) })),
    idOf,
    send: async (endpoint, message) => {
      const target = targetsById.get(endpoint);
      return target === undefined ? { outcome: 'refused', failure: 'no_endpoint' } : post(target, message);
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
};
