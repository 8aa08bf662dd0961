import type { OutboxCount } from './outbox.ts';
import type { Clock } from './ports.ts';
import { integer, object, type TypeOf } from './schema.ts';

const counted = (description: string) => integer({ description, examples: [0] });

export const backlog = object(
  {
    mailWaiting: counted('Mails that are to be sent'),
    mailDead: counted('Mails that were given up'),
    mailOldestSeconds: counted('Age of the oldest mail that waits; 0 where none does'),
    deliveriesPending: counted('Deliveries of the payment provider that are to be applied'),
    deliveriesDead: counted('Deliveries that could not be applied'),
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
    const living = mails.filter(({ state }) => state !== 'dead');
    const oldest = Math.min(...living.map(({ oldestAt }) => oldestAt));
    return {
      mailWaiting: sum(living),
      mailDead: sum(mails) - sum(living),
      mailOldestSeconds: living.length === 0 ? 0 : Math.max(0, Math.floor((clock.now() - oldest) / 1_000)),
      deliveriesPending,
      deliveriesDead,
    };
  };
