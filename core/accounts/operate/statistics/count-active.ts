import { pagesOf } from '../../../pages.ts';
import type { Needs } from '../../needs.ts';
import { type SessionUse, timeSince } from '../../session.ts';

const DAY = 86_400_000;

/** Sessions, or accounts, between two turns of the event loop. */
export const PAGE = 500;

/** Users by how long ago a session of theirs was last used or refreshed. */
export interface Active {
  readonly active1: number;
  readonly active7: number;
  readonly active30: number;
}

/**
 * Walks all sessions in the order of their users, so that one user is held in memory at a time. It gives after each page,
 * so that whoever walks it can let others have the event loop.
 */
export async function* countActive(
  { sessions }: Pick<Needs, 'sessions'>,
  now: number,
): AsyncGenerator<undefined, Active> {
  let [active1, active7, active30] = [0, 0, 0];
  let user: string | undefined;
  /** How long ago this user was last seen. */
  let ago = Number.POSITIVE_INFINITY;
  const countUser = () => {
    if (ago <= DAY) active1 += 1;
    if (ago <= 7 * DAY) active7 += 1;
    if (ago <= 30 * DAY) active30 += 1;
  };

  const pages = pagesOf<SessionUse>(PAGE, (after, limit) => sessions.listUses(after, limit));
  for await (const page of pages) {
    for (const { userId, lastUsedAt } of page) {
      if (userId !== user) {
        countUser();
        [user, ago] = [userId, Number.POSITIVE_INFINITY];
      }
      ago = Math.min(ago, timeSince(lastUsedAt, now));
    }
    yield;
  }
  countUser();
  return { active1, active7, active30 };
}
