import { makeDeleteFilesOf } from './delete-file.ts';
import type { Kit } from './kit.ts';
import { makeRequireUser } from './known-user.ts';
import type { FilePosition } from './ports.ts';

export interface Invalidate {
  readonly user: string;
  /** `OUT`: the user logged out, entries leave the cache. `DEL`: the user goes, and the records with them. */
  readonly type: 'OUT' | 'DEL';
}

export interface Invalidated extends Invalidate {
  readonly invalidated: number;
}

/**
 * Takes a user's entries out of the cache at once. `OUT` counts entries and throws `unavailable` while the cache is
 * down; `DEL` counts records. Throws `missing` (`user_not_found`).
 */
export const makeInvalidate = (kit: Kit) => {
  const { entries, files, policy } = kit;
  const requireUser = makeRequireUser(kit);
  const deleteFilesOf = makeDeleteFilesOf(kit);

  const forgetAll = async (user: string): Promise<number> => {
    let count = 0;
    let after: FilePosition | null = null;
    for (;;) {
      const found: readonly FilePosition[] = await files.listSizes(user, after, policy.page);
      count += await entries.forget(found.map(({ id }) => id));
      const last = found.at(-1);
      if (last === undefined || found.length < policy.page) return count;
      after = last;
    }
  };

  return async ({ user, type }: Invalidate): Promise<Invalidated> => {
    await requireUser(user);
    const invalidated = type === 'OUT' ? await forgetAll(user) : await deleteFilesOf(user);
    return { user, type, invalidated };
  };
};
