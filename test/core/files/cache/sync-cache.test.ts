import { expect } from 'chai';
import type { SyncType } from '../../../../core/files/manage-cache.ts';
import type { FilesPorts } from '../../../../core/files/ports.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { cachedIn, type FilesCore, openFilesCore as open, upload } from '../open-files-core.ts';

const DAY = 86_400_000;
const ALL: readonly SyncType[] = ['allOne', 'allTwo', 'mostOne', 'mostTwo'];

describe('The cache sync', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 3 } });
  });

  /** Creates files of growing size with the given read counts, and returns their ids, newest first. */
  const createSome = async (counts: readonly number[], user = 'user') => {
    const ids: string[] = [];
    for (const [number, count] of counts.entries()) {
      core.world.pass(1);
      const { id } = await core.files.create(upload({ user, filenameEnc: 'n'.repeat(10 + 7 * number) }));
      ids.unshift(id);
      await core.ports.activity.add(
        [{ id, count, lastAt: core.world.clock.now() }].filter(() => count > 0),
        `${id} ${count}`,
      );
    }
    return ids;
  };
  const bytesOf = async (ids: readonly string[]) => {
    const sizes = new Map(
      (await core.ports.files.listSizes('user', null, 999)).map(({ id, bytes }) => [id, bytes]),
    );
    return ids.reduce((sum, id) => sum + (sizes.get(id) ?? Number.NaN), 0);
  };
  /** Another process with a limit for synced bytes. */
  const openLimited = (syncLimitBytes: number, page = 3) =>
    open({ world: core.world, policy: { page, syncLimitBytes } });
  const listCached = (ids: readonly string[]) => cachedIn(core, ids);
  const sync = (type: SyncType, syncer = core, user = 'user') => syncer.files.syncCache({ user, type });
  const expectError = async (call: () => Promise<unknown>, kind: string, code: string) =>
    expect(await rejectionOf(call)).to.include({ kind, code });

  it('copies the entries of all files as a single read returns them', async () => {
    for (const type of ['allOne', 'allTwo'] as const) {
      const ids = await createSome([0, 0, 0, 0, 0, 0, 0], type);
      expect(await sync(type, core, type)).to.deep.equal({ user: type, synced: 7, skipped: 0 });
      expect(await listCached(ids)).to.deep.equal(ids);
      for (const id of ids) {
        const epoch = await core.ports.cacheGeneration.read();
        expect(await core.world.cache.get(id, epoch)).to.equal(await core.ports.files.find(id));
      }
    }
  });

  it('copies only the files that were read', async () => {
    const ids = await createSome([2, 0, 1, 5, 0]);
    const active = [ids[1], ids[2], ids[4]];
    for (const type of ['mostOne', 'mostTwo'] as const) {
      await core.files.operate.clearCache();
      expect(await sync(type)).to.deep.equal({ user: 'user', synced: 3, skipped: 0 });
      expect(await listCached(ids)).to.deep.equal(active);
    }
  });

  it('includes reads of this process that are not written yet', async () => {
    const [id = ''] = await createSome([0, 0]);
    await core.files.read(id);
    await core.files.operate.clearCache();
    expect(await sync('mostOne')).to.include({ synced: 1 });
    expect(await listCached([id])).to.deep.equal([id]);
  });

  it('treats files read within 30 days as active, to the millisecond', async () => {
    const ids = await createSome([1, 1]);
    core.world.pass(30 * DAY);
    expect(await sync('mostOne')).to.include({ synced: 1, skipped: 0 });
    expect(await listCached(ids)).to.deep.equal([ids[0]]);
    core.world.pass(1);
    expect(await sync('mostOne')).to.include({ synced: 0, skipped: 0 });
  });

  it('treats a file as active if a process with a faster clock counted its read', async () => {
    const [id = ''] = await createSome([0]);
    await core.ports.activity.add([{ id, count: 1, lastAt: core.world.clock.now() + 5_000 }], 'mark');
    expect(await sync('mostTwo')).to.include({ synced: 1 });
  });

  it('accepts entries that fit the limit exactly, and writes nothing for one byte more', async () => {
    const ids = await createSome([1, 2, 3, 4, 5, 6, 7]);
    const bytes = await bytesOf(ids);
    for (const type of ['allOne', 'mostOne'] as const) {
      await core.files.operate.clearCache();
      const error = await rejectionOf(() => sync(type, openLimited(bytes - 1)));
      expect(error).to.include({
        kind: 'invalid',
        code: 'limit_exceeded',
        message: `The entries would take more than ${bytes - 1} bytes; nothing was synced.`,
      });
      expect(await listCached(ids)).to.deep.equal([]);
      expect(await sync(type, openLimited(bytes))).to.include({ synced: 7, skipped: 0 });
    }
  });

  it('reads blocks of a page, or of 64 KiB if entries are long, and no empty blocks', async () => {
    const ids = await createSome([0, 0, 0, 0, 0]);
    const blocksOf = async (bytes: number, page: number, user = 'user') => {
      const blocks: (readonly string[])[] = [];
      const change = ({ files }: FilesPorts): Partial<FilesPorts> => ({
        files: {
          ...files,
          listSizes: async (...part) => (await files.listSizes(...part)).map((file) => ({ ...file, bytes })),
          findAll: (block) => {
            blocks.push(block);
            return files.findAll(block);
          },
        },
      });
      await sync('allOne', open({ world: core.world, policy: { page }, change }), user);
      return blocks;
    };
    const pairs = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)];
    expect(await blocksOf(1, 2)).to.deep.equal(pairs);
    expect(await blocksOf(32_768, 9)).to.deep.equal(pairs);
    for (const bytes of [32_769, 65_537])
      expect(await blocksOf(bytes, 9)).to.deep.equal(ids.map((id) => [id]));
    core.world.owners.set('ada', 'account');
    expect(await blocksOf(1, 9, 'ada')).to.deep.equal([]);
  });

  it('fails if records took longer than ten seconds to read', async () => {
    await createSome([1]);
    const slow = (milliseconds: number) =>
      open({
        world: core.world,
        change: ({ files }) => ({
          files: {
            ...files,
            findAll: (ids) => {
              core.world.pass(milliseconds);
              return files.findAll(ids);
            },
          },
        }),
      });
    expect(await sync('allOne', slow(10_000))).to.include({ synced: 1 });
    const error = await rejectionOf(() => sync('allOne', slow(10_001)));
    expect(error).to.have.property('message', 'The cache cannot be reached; try again.');
  });

  it('stops at the first entry that does not fit, newest first, even if smaller entries follow', async () => {
    const ids = await createSome([0, 0, 0, 0, 0, 0, 0, 0]);
    for (let count = 0; count <= 8; count += 1) {
      const bytes = await bytesOf(ids.slice(0, count));
      for (const [limit, fits] of [
        [bytes, count],
        [bytes - 1, count - 1],
      ] as const) {
        if (limit < 0) continue;
        for (const page of [1, 3]) {
          await core.files.operate.clearCache();
          const result = await sync('allTwo', openLimited(limit, page));
          expect(result).to.deep.equal({ user: 'user', synced: fits, skipped: 8 - fits });
          expect(await listCached(ids)).to.deep.equal(ids.slice(0, fits));
        }
      }
    }
  });

  it('stops at the first entry that does not fit, by reads, then last read, then id', async () => {
    const ids = await createSome([4, 9, 0, 9, 1, 4]);
    const now = core.world.clock.now();
    const [sixth = '', , fourth = '', , second = '', first = ''] = ids;
    await core.ports.activity.add(
      [second, fourth].map((id) => ({ id, count: 1, lastAt: now + 1 })),
      'one',
    );
    await core.ports.activity.add(
      [first, sixth].map((id) => ({ id, count: 1, lastAt: now + 2 })),
      'two',
    );
    const order = [...[second, fourth].toSorted(), ...[first, sixth].toSorted(), ids[1] ?? ''];
    for (let count = 0; count <= 5; count += 1) {
      await core.files.operate.clearCache();
      const bytes = await bytesOf(order.slice(0, count));
      const result = await sync('mostTwo', openLimited(bytes, 2));
      expect(result).to.deep.equal({ user: 'user', synced: count, skipped: 5 - count });
      expect(await listCached(order)).to.deep.equal(order.slice(0, count));
    }
  });

  it('keeps entries for a day, including those that were cached for an hour before', async () => {
    const ids = await createSome([1, 1, 1]);
    await core.files.read(ids[0] ?? '');
    for (const type of ALL) {
      expect(await sync(type)).to.include({ synced: 3 });
      core.world.pass(DAY - 1);
      expect(await listCached(ids)).to.deep.equal(ids);
      core.world.pass(1);
      expect(await listCached(ids)).to.deep.equal([]);
    }
  });

  it('copies nothing for an account without files', async () => {
    core.world.owners.set('ada', 'account');
    for (const type of ALL)
      expect(await sync(type, core, 'ada')).to.deep.equal({ user: 'ada', synced: 0, skipped: 0 });
  });

  it('fails with `user_not_found` for a user without an account and files', async () => {
    core.world.owners.set('gone', 'deleted');
    for (const user of ['nobody', 'gone']) {
      for (const type of ALL) await expectError(() => sync(type, core, user), 'missing', 'user_not_found');
    }
    for (const user of ['', 'a'.repeat(129)])
      await expectError(() => sync('allOne', core, user), 'invalid', 'invalid_request');
  });

  it('fails with `cache_unavailable` while the cache is down', async () => {
    await createSome([1]);
    core.link.up = false;
    for (const type of ALL) await expectError(() => sync(type), 'unavailable', 'cache_unavailable');
  });

  it('counts records that are deleted meanwhile as skipped, and caches none of them', async () => {
    const ids = await createSome([0, 0, 0, 0, 0]);
    const racing = open({
      world: core.world,
      policy: { page: 2 },
      change: ({ files }) => ({
        files: {
          ...files,
          findAll: async (pageIds) => {
            const entries = await files.findAll(pageIds);
            if (pageIds.includes(ids[0] ?? '')) await core.files.delete(ids[0] ?? '');
            if (pageIds.includes(ids[1] ?? '')) await core.files.delete(ids[4] ?? '');
            return entries;
          },
        },
      }),
    });
    expect(await sync('allOne', racing)).to.deep.equal({ user: 'user', synced: 3, skipped: 2 });
    expect(await listCached(ids)).to.deep.equal([ids[1], ids[2], ids[3]]);
  });
});
