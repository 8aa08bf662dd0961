import type { CoreError } from '../errors.ts';
import type { Log } from '../ports.ts';
import { type Caller, calledFrom } from './caller.ts';
import { restricted } from './errors.ts';

/** Logs that a user may not do what they asked for, and returns the error to throw. */
export const refuseAccess = (
  log: Log,
  userId: string,
  reason: Parameters<typeof restricted>[0],
  caller: Caller | undefined,
): CoreError => {
  log.info('access.refused', { userId, reason, ...(caller && calledFrom(caller)) });
  return restricted(reason);
};
