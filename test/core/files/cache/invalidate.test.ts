import { expect } from 'chai';
import type { InvalidateInput } from '../../../../core/files/manage-cache.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { createSome, type FilesCore, openFilesCore as open } from '../open-files-core.ts';

describe('The invalidation of cached files', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 3 } });
  });

  const invalidate = (type: InvalidateInput['type'], user = 'user') => core.files.invalidate({ user, type });
  const entries = async () => (await core.files.operate.cacheStats()).entries;

  it('removes and counts cached entries after a logout, and keeps the files', async () => {
    const ids = await createSome(core, 7);
    const [otherId = ''] = await createSome(core, 1, 'other');
    for (const id of [...ids.slice(2), otherId]) await core.files.read(id);
    expect(await invalidate('OUT')).to.deep.equal({ user: 'user', type: 'OUT', invalidated: 5 });
    expect(await entries()).to.equal(1);
    expect(await invalidate('OUT')).to.include({ invalidated: 0 });
    expect((await core.files.list({ userId: 'user', limit: 99 })).files).to.have.length(7);
  });

  it('lets entries be cached again directly after a logout', async () => {
    const [id = ''] = await createSome(core, 1);
    await core.files.read(id);
    await invalidate('OUT');
    await core.files.read(id);
    expect(await entries()).to.equal(1);
  });

  it('deletes and counts all records after a deletion, cached or not', async () => {
    const ids = await createSome(core, 7);
    await createSome(core, 2, 'other');
    for (const id of ids.slice(4)) await core.files.read(id);
    expect(await invalidate('DEL')).to.deep.equal({ user: 'user', type: 'DEL', invalidated: 7 });
    expect(await entries()).to.equal(0);
    expect(await core.files.operate.totals()).to.include({ files: 2 });
    for (const id of ids)
      expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  });

  it('fails with `user_not_found` for a user without an account and files', async () => {
    core.world.owners.set('ada', 'account').set('gone', 'deleted');
    for (const type of ['OUT', 'DEL'] as const) {
      expect(await invalidate(type, 'ada')).to.deep.equal({ user: 'ada', type, invalidated: 0 });
      for (const user of ['nobody', 'gone']) {
        const error = await rejectionOf(() => invalidate(type, user));
        expect(error).to.include({ kind: 'missing', code: 'user_not_found' });
      }
    }
    await createSome(core, 1);
    await invalidate('DEL');
    expect(await rejectionOf(() => invalidate('DEL'))).to.include({ code: 'user_not_found' });
  });

  it('calls back before an operator deletes records, and only for a known user', async () => {
    await createSome(core, 2);
    const { deleteFiles } = core.files.operate;
    const counts: unknown[] = [];
    const onBegin = async () => counts.push((await core.files.operate.totals()).files);
    expect(await rejectionOf(() => deleteFiles('nobody', onBegin))).to.include({ code: 'user_not_found' });
    expect(counts).to.deep.equal([]);
    const refuse = () => Promise.reject(new Error('No row.'));
    expect(await rejectionOf(() => deleteFiles('user', refuse))).to.include({ message: 'No row.' });
    expect(await deleteFiles('user', onBegin)).to.equal(2);
    expect(counts).to.deep.equal([2]);
  });

  it('deletes the records of a deleted account', async () => {
    await createSome(core, 2);
    core.world.owners.set('user', 'deleted');
    expect(await invalidate('DEL')).to.include({ invalidated: 2 });
  });

  it('requires the cache after a logout, but not after a deletion', async () => {
    const ids = await createSome(core, 4);
    for (const id of ids) await core.files.read(id);
    core.link.up = false;
    expect(await rejectionOf(() => invalidate('OUT'))).to.include({
      kind: 'unavailable',
      code: 'cache_unavailable',
    });
    expect(await invalidate('DEL')).to.include({ invalidated: 4 });
    core.link.up = true;
    for (const id of ids)
      expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
    expect(await entries()).to.equal(0);
  });
});
