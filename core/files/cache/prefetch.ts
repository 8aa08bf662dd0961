import { invalidFile } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { makeActiveFiles } from './active-files.ts';
import { makeRequireUser } from './known-user.ts';

export interface Prefetch {
  readonly user: string;
  /** The most files to cache, from 1 to `prefetchMost`. */
  readonly limit: number;
}

export const makePrefetch = (kit: Kit) => {
  const { entries, files, policy } = kit;
  const requireUser = makeRequireUser(kit);
  const activeFiles = makeActiveFiles(kit);

  return async ({
    user,
    limit,
  }: Prefetch): Promise<{ readonly user: string; readonly prefetched: number }> => {
    if (!Number.isInteger(limit) || limit < 1 || limit > policy.prefetchMost) {
      throw invalidFile(`'limit' must be from 1 to ${policy.prefetchMost}.`);
    }
    await requireUser(user);
    let [left, prefetched] = [limit, 0];
    for await (const page of activeFiles(user)) {
      const ids = page.slice(0, left).map(({ id }) => id);
      prefetched += await entries.load(() => files.findAll(ids));
      left -= ids.length;
      if (left === 0) break;
    }
    return { user, prefetched };
  };
};
