import { expect } from 'chai';
import type { FileCache } from '../../../core/files/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type FilesCore, makeWorld, openFilesCore as open, upload } from './open-files-core.ts';

describe('A deletion that comes while another one of the same is under way', () => {
  let core: FilesCore;
  let blocked: FilesCore;
  /** Lets the one that is under way tell the cache. */
  let letGo: () => void;
  /** Resolves when it is about to. */
  let reached: Promise<void>;

  beforeEach(() => {
    const world = makeWorld();
    core = open({ world });
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    reached = new Promise((resolve) => {
      const remove: FileCache['remove'] = async (...args) => {
        resolve();
        await gate;
        await world.cache.remove(...args);
      };
      blocked = open({ world, change: ({ cache }) => ({ cache: { ...cache, remove } }) });
    });
  });

  /** A record that is cached. */
  const createCached = async () => {
    const { id } = await core.files.create(upload({ user: 'user' }));
    for (let time = 0; time < 2; time += 1) await core.files.read(id);
    expect(await core.files.operate.cacheStats()).to.include({ entries: 1 });
    return id;
  };
  const expectGone = async (id: string) =>
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });

  it('is not found only when nobody finds it any more', async () => {
    const id = await createCached();
    const first = blocked.files.delete(id);
    await reached;
    expect(await rejectionOf(() => core.files.delete(id))).to.include({ code: 'not_found' });
    await expectGone(id);
    letGo();
    expect(await first).to.deep.equal({ deleted: id });
  });

  it('has nothing left to delete of a user only when nobody finds anything any more', async () => {
    const id = await createCached();
    const first = blocked.files.deleteAllOf('user');
    await reached;
    const second = await core.files.deleteAllOf('user');
    await expectGone(id);
    letGo();
    expect((await first) + second).to.equal(1);
  });
});
