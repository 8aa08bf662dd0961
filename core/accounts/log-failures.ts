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
  /** The last line of each kind of work, and the number of failures since. */
  const lastLines = new Map<string, { readonly at: number; failuresSince: number }>();

  return (work: string, userId: string, error: unknown): void => {
    const isRefusal = isLasting(error);
    const key = `${work} ${isRefusal}`;
    const now = clock.now();
    const lastLine = lastLines.get(key);
    const count = (lastLine?.failuresSince ?? 0) + 1;
    const interval = isRefusal ? policy.refusedTaskLogEveryMs : policy.failedTaskLogEveryMs;
    // The absolute difference, so that a clock that was set back does not silence the log.
    if (lastLine !== undefined && Math.abs(now - lastLine.at) < interval) {
      lastLine.failuresSince = count;
      return;
    }
    lastLines.set(key, { at: now, failuresSince: 0 });
    const fields = { userId, reason: work, count, error };
    if (isRefusal) log.error('relay.refused', fields);
    else log.warn('relay.failed', fields);
  };
};
