import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log } from '../../core/ports.ts';
import { signDelivery } from '../signed-deliveries/signature.ts';

/** Faults of deliveries that tests switch on and that also occur with real providers. */
export interface Mischief {
  /** How often each delivery is sent. */
  readonly copies?: number;
  /** Whether deliveries of one change are sent in reverse order. */
  readonly backwards?: boolean;
  /** Milliseconds before the first delivery. */
  readonly delay?: number;
}

const TRIES = 10;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
const DEADLINE = 10_000;

/** Sends a signed delivery; false if it was not accepted. */
export type SendDelivery = (
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<boolean>;

/** Sends to the webhook route. `origin` returns the origin of the account service. */
export const sendOverHttp =
  (origin: () => string): SendDelivery =>
  async (headers, body, signal) => {
    try {
      const response = await fetch(`${origin()}/api/webhooks/drop`, {
        method: 'POST',
        redirect: 'error',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
        signal,
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  };

/** Sends deliveries as the provider would: signed, and repeated until they are accepted. */
export const makePost = (options: {
  readonly send: SendDelivery;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly mischief: () => Mischief;
}) => {
  const { secret, clock, log, mischief } = options;
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();

  const send = (id: string, body: string): Promise<boolean> => {
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(DEADLINE)]);
    return options.send(signDelivery(secret, { id, body }, clock.now()), body, signal);
  };

  const deliver = async (id: string, body: string): Promise<void> => {
    for (let attempt = 0; attempt < TRIES && !ending.signal.aborted; attempt += 1) {
      if (await send(id, body)) return;
      await pause(Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE), undefined, {
        signal: ending.signal,
      }).catch(() => undefined);
    }
    log.warn('sandbox.delivery_failed', { id });
  };

  const deliverAll = async (bodies: readonly string[]): Promise<void> => {
    const { copies = 1, backwards = false, delay = 0 } = mischief();
    if (delay > 0) await pause(delay, undefined, { signal: ending.signal }).catch(() => undefined);
    const ordered = backwards ? bodies.toReversed() : bodies;
    for (const body of ordered) {
      const id = `evt_${randomUUID()}`;
      await Promise.all(Array.from({ length: copies }, () => deliver(id, body)));
    }
  };

  return {
    /** Sends the bodies in the background, one after the other. */
    post: (bodies: readonly string[]): void => {
      const work: Promise<void> = deliverAll(bodies).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    /** Resolves when all deliveries so far are accepted or given up. */
    posted: async (): Promise<void> => {
      await Promise.all(underWay);
    },
    close: async (): Promise<void> => {
      ending.abort();
      await Promise.all(underWay);
    },
  };
};
