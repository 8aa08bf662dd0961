import { CoreError } from '../errors.ts';
import type { Needs } from './needs.ts';

/** Whether the error is a refusal that no retry changes: an operator has to act. */
export const isLasting = (error: unknown): boolean => error instanceof CoreError && error.kind === 'refused';

/**
 * Logs failures in the background, each line with the number of failures since the last one. Each kind of work has at
 * most one line a minute; a refusal for good, one an hour.
 */
export const makeFailing = ({ clock, log, policy }: Pick<Needs, 'clock' | 'log' | 'policy'>) => {
  const lines = new Map<string, { at: number; since: number }>();

  return (work: string, userId: string, error: unknown): void => {
    const lasting = isLasting(error);
    const name = `${work} ${lasting}`;
    const now = clock.now();
    const last = lines.get(name);
    const since = (last?.since ?? 0) + 1;
    const every = lasting ? policy.refusedTaskLogEvery : policy.failedTaskLogEvery;
    if (last !== undefined && Math.abs(now - last.at) < every) {
      last.since = since;
      return;
    }
    lines.set(name, { at: now, since: 0 });
    const fields = { userId, reason: work, count: since, error };
    if (lasting) log.error('relay.refused', fields);
    else log.warn('relay.failed', fields);
  };
};
