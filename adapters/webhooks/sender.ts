import { createHash } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Delivery } from '../../core/outbox.ts';
import type { Clock } from '../../core/ports.ts';
import type { WebhookMessage, WebhookSender } from '../../core/webhooks/ports.ts';
import { retryAfter } from '../calls/retry-after.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { addressIn, isPublicAddress, lookupPublic, PrivateAddress } from './public-address.ts';
import { signDelivery } from './signature.ts';

const DEADLINE = 10_000;
/** Bytes of an answer's body that are read, so that the connection can serve again. */
const MOST_READ = 65_536;

/** An address that hears events, with its secrets: each signs. */
export interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
}

const idOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** An address for people: its query may be a secret. */
const nameOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

const again = (failure: string, after: number | null = null): Delivery => ({
  outcome: 'again',
  after,
  failure,
});

/** The answer's body says nothing to us. */
const drain = (response: IncomingMessage): void => {
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MOST_READ) response.destroy();
  });
  response.on('error', () => undefined);
};

const judge = ({ statusCode = 0, headers }: IncomingMessage, now: number): Delivery => {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'sent' };
  // Standard Webhooks: the receiver wants no more.
  if (statusCode === 410) return { outcome: 'refused', failure: 'gone' };
  return again(`status_${statusCode}`, retryAfter(headers['retry-after'], now));
};

/** A word of Node.js or OpenSSL for what went wrong, never a text with an address in it. */
const judgeError = (error: unknown): Delivery => {
  if (error instanceof PrivateAddress) return again('private_address');
  if (!(error instanceof Error)) return again('unreachable');
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return again('timeout');
  const code = 'code' in error ? String(error.code) : '';
  return again(/^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code.toLowerCase() : 'unreachable');
};

/**
 * Sends signed messages by HTTP (Standard Webhooks 1.0.0). Follows no redirect, and connects to public addresses alone
 * unless `allowPrivate`. Any status of 2xx is success, 410 is a refusal for good, everything else may work later.
 */
export const makeWebhookSender = (given: {
  readonly targets: readonly Target[];
  readonly allowPrivate: boolean;
  readonly clock: Clock;
  /** Milliseconds for one call, from the look-up of the name on; 10,000. */
  readonly deadline?: number;
}): WebhookSender & { close(): void } => {
  const { targets, allowPrivate, clock, deadline = DEADLINE } = given;
  const options = { keepAlive: true, maxSockets: 16 };
  // One for each, so that addresses of one host do not wait for each other's connections.
  const agents = new Map(
    targets.map(({ url }) => [url, url.startsWith('https:') ? new TlsAgent(options) : new Agent(options)]),
  );
  const byId = new Map(targets.map((target) => [idOf(target.url), target]));

  const post = ({ url, secrets }: Target, { id, body }: WebhookMessage): Promise<Delivery> => {
    const address = new URL(url);
    const literal = addressIn(address);
    if (!allowPrivate && literal !== undefined && !isPublicAddress(literal)) {
      return Promise.resolve(again('private_address'));
    }
    const now = clock.now();
    const signed = secrets.map((secret) => signDelivery(secret, { id, body }, now));
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
          ...signed[0],
          'webhook-signature': signed.map((one) => one['webhook-signature']).join(' '),
          ...traceHeaders(),
        },
      });
      sending.on('response', (response) => {
        drain(response);
        resolve(judge(response, clock.now()));
      });
      // After an answer these change nothing more. An answer of 101 is told by neither of the others.
      sending.on('error', (error) => resolve(judgeError(error)));
      sending.on('close', () => resolve(again('unreachable')));
      sending.end(body);
    });
  };

  return {
    endpoints: targets.map(({ url }) => ({ id: idOf(url), name: nameOf(url) })),
    idOf,
    send: async (endpoint, message) => {
      const target = byId.get(endpoint);
      return target === undefined ? { outcome: 'refused', failure: 'no_endpoint' } : post(target, message);
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
};
