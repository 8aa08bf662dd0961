import { backOff } from '../back-off.ts';
import type { Waiting } from '../outbox.ts';
import { makeOutboxDispatcher } from '../outbox-dispatcher.ts';
import type { Deps } from './deps.ts';
import { messageOf } from './message.ts';
import type { WebhookEntry } from './ports.ts';

/**
 * Sends due deliveries to all endpoints in parallel: a slow endpoint does not delay the others. The events of a user
 * reach an endpoint in order.
 */
export const makeDeliverAll = (deps: Deps): ((fence: number) => Promise<number>) => {
  const { policy, random, sender, store } = deps;

  const nextTry = (
    { tries }: Waiting<WebhookEntry>,
    retryAfter: number | null,
    now: number,
  ): number | null => {
    const wait = policy.waits[tries];
    if (wait === undefined) return null;
    const longest = Math.max(...policy.waits);
    return now + Math.min(Math.max(backOff(random, { first: wait, longest }, 0), retryAfter ?? 0), longest);
  };

  const rounds = sender.endpoints.map(({ id }) =>
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
    const counts = await Promise.all(rounds.map((round) => round(fence)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
};
