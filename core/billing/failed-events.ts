import { CoreError } from '../errors.ts';
import type { Deps } from './deps.ts';
import type { EventState, StoredEvent } from './ports.ts';

/**
 * Records that an event could not be applied. Once the event is older than `eventGiveUpMs`, only a replay retries it. `userId`
 * is the user that the provider names, so that the deletion of their account finds the event; null if none is known.
 */
export const makeRecordFailure =
  ({ clock, ledger, log, policy }: Pick<Deps, 'clock' | 'ledger' | 'log' | 'policy'>) =>
  async ({ id, tries, receivedAt }: StoredEvent, error: unknown, userId: string | null): Promise<void> => {
    const now = clock.now();
    log.warn('billing.event_failed', { id, count: tries + 1, error });
    const failure = error instanceof Error ? error.name : 'unknown';
    if (now - receivedAt > policy.eventGiveUpMs) return ledger.move(id, { state: 'dead', failure, userId });
    const pause = Math.min(policy.eventRetryFirstMs * 2 ** tries, policy.eventRetryLongestMs);
    return ledger.move(id, { state: 'pending', dueAt: now + pause, failure });
  };

/** `replayed`: the events that were retried. `left`: the events that are not applied, even those that wait for a retry. */
export interface ReplayResult {
  readonly replayed: number;
  readonly left: number;
}

const UNAPPLIED: readonly EventState[] = ['pending', 'waiting', 'dead'];

/**
 * Retries a waiting or dead event, or all of them (null), and applies what is due. In `beforeRetry`, which runs once the event
 * is found, the caller audits the retry.
 */
export const makeReplay = ({ clock, ledger }: Deps, applyAll: () => Promise<void>) => {
  const countUnapplied = async (id: string | null): Promise<number> => {
    if (id !== null) {
      const state = await ledger.findState(id);
      return UNAPPLIED.some((unapplied) => unapplied === state) ? 1 : 0;
    }
    const counts = await Promise.all(UNAPPLIED.map((state) => ledger.count(state)));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  return async (id: string | null, beforeRetry?: () => Promise<unknown>): Promise<ReplayResult> => {
    if (id !== null && (await ledger.findState(id)) === undefined)
      throw new CoreError('missing', 'event_not_found', 'There is no delivery with this id.');
    await beforeRetry?.();
    const replayed = await ledger.retry(id, clock.now());
    await applyAll();
    return { replayed, left: await countUnapplied(id) };
  };
};
