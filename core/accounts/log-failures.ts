import { CoreError } from '../errors.ts';
import type { AccountsPolicy } from './policy.ts';
import type { AccountsPorts } from './ports.ts';

/** Whether the error is a permanent refusal: no retry helps, and an operator must act. */
export const isLasting = (error: unknown): boolean => error instanceof CoreError && error.kind === 'refused';

/**
 * Logs failures of background work, each line with the number of failures since the last one. Each kind of work logs at
 * most one line a minute, and for permanent refusals one an hour.
 */
export const makeLogFailures = ({
  clock,
  log,
  policy,
}: Pick<AccountsPorts, 'clock' | 'log'> & { readonly policy: AccountsPolicy }) => {
  const lines = new Map<string, { at: number; since: number }>();

  return (work: string, userId: string, error: unknown): void => {
    const isRefusal = isLasting(error);
    const name = `${work} ${isRefusal}`;
    const now = clock.now();
    const line = lines.get(name);
    const since = (line?.since ?? 0) + 1;
    const every = isRefusal ? policy.refusedTaskLogEvery : policy.failedTaskLogEvery;
    if (line !== undefined && Math.abs(now - line.at) < every) {
      line.since = since;
      return;
    }
    lines.set(name, { at: now, since: 0 });
    const fields = { userId, reason: work, count: since, error };
    if (isRefusal) log.error('relay.refused', fields);
    else log.warn('relay.failed', fields);
  };
};
