import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';

/**
 * Ends the sessions that a change of the account has voided. They are invalid already, so a failure must not lose the answer
 * of the change: it only wakes the relay, which then ends them.
 */
export const endVoidedSessions = (
  { clock, sessions, wake }: Pick<Deps, 'clock' | 'sessions' | 'wake'>,
  { id, keptSession, sessionEpoch }: Account,
): Promise<unknown> =>
  sessions.endAll(id, { keep: keptSession, beforeVersion: sessionEpoch }, clock.now()).catch(wake);
