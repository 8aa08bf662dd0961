import type { Kit } from './kit.ts';
import type { ActivityPosition } from './ports.ts';

/** A user's active files, the most active first, a page at a time; those read since it began do not move in it. */
export const makeActiveFiles = ({ accesses, activity, clock, policy }: Kit) =>
  async function* (user: string): AsyncGenerator<readonly (ActivityPosition & { readonly bytes: number })[]> {
    await accesses.flush();
    const to = clock.now();
    const between = { from: to - policy.activeWithin, to };
    let after: ActivityPosition | null = null;
    for (;;) {
      const found: readonly (ActivityPosition & { readonly bytes: number })[] = await activity.list(
        user,
        between,
        after,
        policy.page,
      );
      if (found.length > 0) yield found;
      const last = found.at(-1);
      if (last === undefined || found.length < policy.page) return;
      after = last;
    }
  };
