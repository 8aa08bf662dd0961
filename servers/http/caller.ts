import type { IncomingMessage } from 'node:http';
import { requireArguments } from '../../core/check-arguments.ts';
import type { Caller } from '../../core/index.ts';
import { custom, list, TEXT } from '../../core/schema.ts';
import { type Client, makeClientAddress } from './client-address.ts';
import { readRequestId } from './request-id.ts';

/** The caller behind a request whose client and id are known. */
export const makeCaller = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  { address, key }: Client,
  requestId: string | null,
): Caller => ({
  address,
  client: key,
  userAgent: headers['user-agent'] ?? null,
  requestId,
  languages: headers['accept-language'] ?? null,
});

const NO_PROXIES: readonly string[] = [];

/** The client finders by their list of trusted proxies, so that each list is parsed once. */
const clientFinders = new WeakMap<readonly string[], ReturnType<typeof makeClientAddress>>();

const clientFinderFor = (trustedProxies: readonly string[]) => {
  const existing = clientFinders.get(trustedProxies);
  if (existing !== undefined) return existing;
  // `X-Forwarded-For` of an untrusted peer is ignored without a warning: there is no log here.
  const findClient = makeClientAddress(trustedProxies, { warn: () => undefined });
  clientFinders.set(trustedProxies, findClient);
  return findClient;
};

const REQUEST = custom(
  'a request of Node.js',
  (value) => typeof value === 'object' && value !== null && 'socket' in value && 'headers' in value,
);

/**
 * The caller of a use case, from a request of Node.js: the client's canonical address, its key for rate limits (of an IPv6
 * address the /64), user agent, `X-Request-Id` if it is well-formed, and `Accept-Language`. `trustedProxies`
 * are addresses or CIDRs, such as `trustedProxies` of the settings; behind them the client is the rightmost hop of
 * `X-Forwarded-For` that is not a trusted proxy. Without trusted proxies the header is ignored.
 */
export const callerOf = (req: IncomingMessage, trustedProxies: readonly string[] = NO_PROXIES): Caller => {
  requireArguments([req, trustedProxies], { req: REQUEST, trustedProxies: list(TEXT) });
  return makeCaller(req, clientFinderFor(trustedProxies)(req), readRequestId(req) ?? null);
};
