import type { Kit } from './kit.ts';
import type { ActivityPosition } from './ports.ts';

/**
 * A user's active files, the most active first, a page at a time. One that is read meanwhile can only move up: none
 * comes twice.
 */
export const makeActiveFiles = ({ accesses, activity, clock, policy }: Kit) =>
  async function* (user: string): AsyncGenerator<readonly (ActivityPosition & { readonly bytes: number })[]> {
    await accesses.flush();
    // Without an end: the clock of the process that counted a read may be ahead of ours.
    const since = clock.now() - policy.activeWithin;
    let after: ActivityPosition | null = null;
    for (;;) {
      const found: readonly (ActivityPosition & { readonly bytes: number })[] = await activity.list(
        user,
        since,
        after,
        policy.page,
      );
      if (found.length > 0) yield found;
      const last = found.at(-1);
      if (last === undefined || found.length < policy.page) return;
      after = last;
    }
  };
