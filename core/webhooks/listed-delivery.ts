import { type OutboxState, stateOf, type Waiting } from '../outbox.ts';
import type { Deps } from './deps.ts';
import type { WebhookEntry } from './ports.ts';

/**
 * A delivery of the outbox: `waiting` for its first attempt, `failing` between attempts, `dead` after the last attempt or
 * if its endpoint is no longer in the settings.
 */
export interface ListedDelivery {
  readonly id: string;
  readonly state: OutboxState;
  /** The endpoint's address without its query; its id if the settings do not contain it. */
  readonly endpoint: string;
  readonly type: string;
  readonly userId: string;
  /** ISO 8601, like all times of this view. */
  readonly createdAt: string;
  readonly tries: number;
  /** The time of the next attempt; null if none follows. */
  readonly dueAt: string | null;
  readonly lastFailure: string | null;
}

export const makeListed = ({ sender }: Pick<Deps, 'sender'>) => {
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
