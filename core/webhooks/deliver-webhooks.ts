import { backOff } from '../back-off.ts';
import type { OutboxItem } from '../outbox.ts';
import { makeOutboxDispatcher } from '../outbox-dispatcher.ts';
import type { Deps } from './deps.ts';
import { messageOf } from './message.ts';
import type { WebhookEntry } from './ports.ts';

/** Sends due deliveries to all endpoints in parallel, so that a slow endpoint does not delay the others. */
export const makeDeliverAll = (deps: Deps): ((fence: number) => Promise<number>) => {
  const { policy, random, sender, store } = deps;

  /** Null, to give up, after the last wait. The policy lists the waits: `backOff`, told of 0 attempts, only varies them. */
  const nextTry = (
    { tries }: OutboxItem<WebhookEntry>,
    retryAfterMs: number | null,
    now: number,
  ): number | null => {
    const waitMs = policy.waits[tries];
    if (waitMs === undefined) return null;
    const longestMs = Math.max(...policy.waits);
    const jitteredMs = backOff(random, { first: waitMs, longest: longestMs }, 0);
    return now + Math.min(Math.max(jitteredMs, retryAfterMs ?? 0), longestMs);
  };

  const dispatchers = sender.endpoints.map(({ id }) =>
    makeOutboxDispatcher<WebhookEntry>(deps, {
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
