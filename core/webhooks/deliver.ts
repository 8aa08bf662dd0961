import { backOff } from '../back-off.ts';
import { makeDeliver } from '../deliver.ts';
import type { Waiting } from '../outbox.ts';
import type { Kit } from './kit.ts';
import { messageOf } from './message.ts';
import type { WebhookEntry } from './ports.ts';

/**
 * Sends what is due to every endpoint, to all at the same time: one that is slow holds up no other. The events of a user
 * reach an endpoint in order.
 */
export const makeDeliverAll = (kit: Kit): ((fence: number) => Promise<number>) => {
  const { policy, random, sender, store } = kit;

  const nextTry = ({ tries }: Waiting<WebhookEntry>, asked: number | null, now: number): number | null => {
    const wait = policy.waits[tries];
    if (wait === undefined) return null;
    const longest = Math.max(...policy.waits);
    return now + Math.min(Math.max(backOff(random, { first: wait, longest }, 0), asked ?? 0), longest);
  };

  const rounds = sender.endpoints.map(({ id }) =>
    makeDeliver<WebhookEntry>(kit, {
      outbox: { ...store, listDue: (now, limit) => store.listDue(now, limit, id) },
      name: 'webhook',
      inOrder: true,
      send: ({ endpoint, event }) => sender.send(endpoint, messageOf(event)),
      nextTry,
    }),
  );

  return async (fence) => {
    const counts = await Promise.all(rounds.map((round) => round(fence)));
    return counts.reduce((sum, one) => sum + one, 0);
  };
};
