import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { cachedIn, type FilesCore, openFilesCore as open, upload } from '../open-files-core.ts';

describe('The prefetch of active files', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 2 } });
  });

  /** Creates files in the order of their activity; the last two were never read. */
  const createSome = async () => {
    const ids: string[] = [];
    for (const count of [9, 7, 7, 3, 1, 0, 0]) {
      const { id } = await core.files.create(upload());
      ids.push(id);
      const lastAt = core.world.clock.now() - ids.length;
      if (count > 0) await core.ports.activity.add([{ id, count, lastAt }], id);
    }
    return ids;
  };
  const listCached = (ids: readonly string[]) => cachedIn(core, ids);
  const prefetch = (limit: number, user = 'user') => core.files.prefetch({ user, limit });

  it('caches the requested number of most active files, and none that was never read', async () => {
    const ids = await createSome();
    for (const limit of [1, 2, 3, 4, 5, 6, 10_000]) {
      await core.files.operate.clearCache();
      const prefetched = Math.min(limit, 5);
      expect(await prefetch(limit)).to.deep.equal({ user: 'user', prefetched });
      expect(await listCached(ids)).to.deep.equal(ids.slice(0, prefetched));
    }
  });

  it('accepts a limit of 1 to 10,000 files', async () => {
    await createSome();
    const error = await rejectionOf(() => prefetch(10_001));
    expect(error).to.have.property('message', "'limit' must be from 1 to 10000.");
    for (const limit of [0, -1, 10_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await rejectionOf(() => prefetch(limit))).to.include({
        kind: 'invalid',
        code: 'invalid_request',
      });
    }
  });

  it('fails with `user_not_found` for a user without an account and files', async () => {
    core.world.owners.set('ada', 'account').set('gone', 'deleted');
    expect(await prefetch(5, 'ada')).to.deep.equal({ user: 'ada', prefetched: 0 });
    for (const user of ['nobody', 'gone']) {
      expect(await rejectionOf(() => prefetch(5, user))).to.include({
        kind: 'missing',
        code: 'user_not_found',
        message: 'The user has neither an account nor a file.',
      });
    }
  });

  it('fails with `cache_unavailable` while the cache is down', async () => {
    await createSome();
    core.link.up = false;
    expect(await rejectionOf(() => prefetch(5))).to.include({
      kind: 'unavailable',
      code: 'cache_unavailable',
    });
  });
});
