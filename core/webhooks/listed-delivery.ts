import { type OutboxState, stateOf, type Waiting } from '../outbox.ts';
import type { Kit } from './kit.ts';
import type { WebhookEntry } from './ports.ts';

/**
 * A delivery of the outbox: `waiting` for its first try, `failing` between tries, `dead` when it was given up or its
 * endpoint is in the settings no more.
 */
export interface ListedDelivery {
  readonly id: string;
  readonly state: OutboxState;
  /** The endpoint's address without its query; its id where the settings do not name it. */
  readonly endpoint: string;
  readonly type: string;
  readonly userId: string;
  /** ISO 8601, like every time in here. */
  readonly createdAt: string;
  readonly tries: number;
  /** Of the next try; null when there is none. */
  readonly dueAt: string | null;
  readonly lastFailure: string | null;
}

export const makeListed = ({ sender }: Pick<Kit, 'sender'>) => {
  const names = new Map(sender.endpoints.map(({ id, name }) => [id, name]));
  return ({ entry, userId, tries, dueAt, deadAt, lastFailure }: Waiting<WebhookEntry>): ListedDelivery => {
    const name = names.get(entry.endpoint);
    const isDead = deadAt !== null || name === undefined;
    return {
      id: entry.id,
      state: isDead ? 'dead' : stateOf({ deadAt, tries }),
      endpoint: name ?? entry.endpoint,
      type: entry.event.type,
      userId,
      createdAt: new Date(entry.at).toISOString(),
      tries,
      dueAt: isDead ? null : new Date(dueAt).toISOString(),
      lastFailure: name === undefined && deadAt === null ? 'no_endpoint' : lastFailure,
    };
  };
};
