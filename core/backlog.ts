import type { OutboxCount } from './outbox.ts';
import type { Clock } from './ports.ts';
import { integer, object, type TypeOf } from './schema.ts';

const countSchema = (description: string) => integer({ description, examples: [0] });

export const backlog = object(
  {
    mailWaiting: countSchema('Mails that are not sent yet'),
    mailDead: countSchema('Mails that were given up'),
    mailOldestSeconds: countSchema('Age of the oldest waiting mail; 0 if no mail waits'),
    deliveriesPending: countSchema('Deliveries of the payment provider that are not applied yet'),
    deliveriesDead: countSchema('Deliveries that could not be applied'),
  },
  { title: 'Backlog' },
);
/** The work that waits or was given up: mails of the outbox, and deliveries of the payment provider. */
export type Backlog = TypeOf<typeof backlog>;

export interface BacklogDeps {
  readonly clock: Clock;
  readonly outbox: { count(): Promise<readonly OutboxCount[]> };
  readonly ledger: { count(state: 'pending' | 'dead'): Promise<number> };
}

export const makeCountBacklog =
  ({ clock, outbox, ledger }: BacklogDeps) =>
  async (): Promise<Backlog> => {
    const [mails, deliveriesPending, deliveriesDead] = await Promise.all([
      outbox.count(),
      ledger.count('pending'),
      ledger.count('dead'),
    ]);
    const sum = (counts: typeof mails) => counts.reduce((total, { count }) => total + count, 0);
    const waiting = mails.filter(({ state }) => state !== 'dead');
    const oldestAt = Math.min(...waiting.map((mail) => mail.oldestAt));
    return {
      mailWaiting: sum(waiting),
      mailDead: sum(mails) - sum(waiting),
      mailOldestSeconds: waiting.length === 0 ? 0 : Math.max(0, Math.floor((clock.now() - oldestAt) / 1_000)),
      deliveriesPending,
      deliveriesDead,
    };
  };
