import { pagesOf } from '../../pages.ts';
import type { Kit } from '../kit.ts';
import type { ActivityPosition } from '../ports.ts';

/**
 * A user's active files, the most active first, a page at a time. A file that is read meanwhile can only move up, so no
 * file comes twice.
 */
export const makeActiveFiles = ({ accesses, activity, clock, policy }: Kit) =>
  async function* (user: string): AsyncGenerator<readonly (ActivityPosition & { readonly bytes: number })[]> {
    await accesses.flush();
    const since = clock.now() - policy.activeWithin;
    yield* pagesOf<ActivityPosition & { readonly bytes: number }>(policy.page, (after, limit) =>
      activity.list(user, since, after, limit),
    );
  };
