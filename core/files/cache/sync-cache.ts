import { pagesOf } from '../../pages.ts';
import { limitExceeded } from '../errors.ts';
import type { Kit } from '../kit.ts';
import type { FilePosition } from '../ports.ts';
import { makeActiveFiles } from './active-files.ts';
import { makeRequireUser } from './known-user.ts';

export type SyncType = 'allOne' | 'allTwo' | 'mostOne' | 'mostTwo';

export interface SyncCache {
  readonly user: string;
  /** `all…`: every file; `most…`: the active ones. `…One` refuses what is beyond the limit, `…Two` leaves it out. */
  readonly type: SyncType;
}

export interface Synced {
  readonly user: string;
  readonly synced: number;
  readonly skipped: number;
}

type Sized = { readonly id: string; readonly bytes: number };

/** What is read and written at once, in bytes of entries. */
const BLOCK_BYTES = 262_144;

/**
 * Ids in as little memory as they take, since there may be more than a million; in blocks that are worked on at once:
 * entries may be forty times as long as most are.
 */
const makeIdList = (most: number) => {
  const blocks: string[] = [];
  let block: string[] = [];
  let bytes = 0;
  const close = () => {
    if (block.length > 0) blocks.push(block.join());
    block = [];
    bytes = 0;
  };
  return {
    add: (one: Sized) => {
      if (block.length === most || (block.length > 0 && bytes + one.bytes > BLOCK_BYTES)) close();
      block.push(one.id);
      bytes += one.bytes;
    },
    *[Symbol.iterator]() {
      close();
      for (const ids of blocks) yield ids.split(',');
    },
  };
};

export const makeSyncCache = (kit: Kit) => {
  const { entries, files, policy } = kit;
  const requireUser = makeRequireUser(kit);
  const activeFiles = makeActiveFiles(kit);

  const allFiles = (user: string) =>
    pagesOf<FilePosition & Sized>(policy.page, (after, limit) => files.listSizes(user, after, limit));

  /** The ids up to the one that would not fit any more, and how many there were in all. */
  const choose = async (pages: AsyncIterable<readonly Sized[]>, mayCut: boolean) => {
    const chosen = makeIdList(policy.page);
    let [selected, bytes, full] = [0, 0, false];
    for await (const page of pages) {
      for (const one of page) {
        full ||= bytes + one.bytes > policy.syncLimitBytes;
        if (full) break;
        bytes += one.bytes;
        chosen.add(one);
      }
      if (full && !mayCut) throw limitExceeded(policy.syncLimitBytes);
      selected += page.length;
    }
    return { chosen, selected };
  };

  return async ({ user, type }: SyncCache): Promise<Synced> => {
    await requireUser(user);
    const pages = type.startsWith('all') ? allFiles(user) : activeFiles(user);
    const { chosen, selected } = await choose(pages, type.endsWith('Two'));
    let synced = 0;
    for (const ids of chosen) synced += await entries.load(() => files.findAll(ids));
    return { user, synced, skipped: selected - synced };
  };
};
