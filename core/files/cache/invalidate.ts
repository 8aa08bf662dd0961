import { pagesOf } from '../../pages.ts';
import { makeDeleteFilesOf } from '../delete-file.ts';
import type { Kit } from '../kit.ts';
import type { FilePosition } from '../ports.ts';
import { makeRequireUser } from './known-user.ts';

export interface Invalidate {
  readonly user: string;
  /** `OUT`: the user logged out, entries leave the cache. `DEL`: the user goes, and the records with them. */
  readonly type: 'OUT' | 'DEL';
}

export interface Invalidated extends Invalidate {
  readonly invalidated: number;
}

export const makeInvalidate = (kit: Kit) => {
  const { entries, files, policy } = kit;
  const requireUser = makeRequireUser(kit);
  const deleteFilesOf = makeDeleteFilesOf(kit);

  const forgetAll = async (user: string): Promise<number> => {
    let count = 0;
    const pages = pagesOf<FilePosition>(policy.page, (after, limit) => files.listSizes(user, after, limit));
    for await (const page of pages) count += await entries.forget(page.map(({ id }) => id));
    return count;
  };

  return async ({ user, type }: Invalidate): Promise<Invalidated> => {
    await requireUser(user);
    const invalidated = type === 'OUT' ? await forgetAll(user) : await deleteFilesOf(user);
    return { user, type, invalidated };
  };
};
