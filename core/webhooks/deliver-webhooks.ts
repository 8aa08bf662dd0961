import { backOff } from '../back-off.ts';
import type { OutboxItem } from '../outbox.ts';
import { makeOutboxDispatcher } from '../outbox-dispatcher.ts';
import type { Deps } from './deps.ts';
import { messageOf } from './message.ts';
import type { WebhookEntry } from './ports.ts';

/**
 * Sends due deliveries to all endpoints in parallel, so that a slow endpoint does not delay the others. Returns how many were
 * sent.
 */
export const makeDeliverAll = (deps: Deps): ((fence: number) => Promise<number>) => {
  const { policy, random, sender, store } = deps;

  /** The time of the next attempt; null, to give up, after the last wait. `tries`: the attempts before the one that failed. */
  const nextTry = (
    { tries }: OutboxItem<WebhookEntry>,
    retryAfterMs: number | null,
    now: number,
  ): number | null => {
    const waitMs = policy.waitsMs[tries];
    if (waitMs === undefined) return null;
    const longestMs = Math.max(...policy.waitsMs);
    // 0 attempts: `backOff` then doubles nothing, and only varies the wait that the policy lists.
    const jitteredMs = backOff(random, { first: waitMs, longest: longestMs }, 0);
    return now + Math.min(Math.max(jitteredMs, retryAfterMs ?? 0), longestMs);
  };

  const dispatchers = sender.endpoints.map(({ id }) =>
    makeOutboxDispatcher<WebhookEntry>(deps, {
      // Lists only the deliveries to this endpoint.
      outbox: { ...store, listDue: (now, limit) => store.listDue(now, limit, id) },
      name: 'webhook',
      inOrder: true,
      parallel: 16,
      send: ({ endpoint, event }) => sender.send(endpoint, messageOf(event)),
      nextTry,
    }),
  );

  return async (fence) => {
    const counts = await Promise.all(dispatchers.map((dispatch) => dispatch(fence)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
};
