import { expect } from 'chai';
import type { FileCache } from '../../../core/files/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type FilesCore, makeWorld, openFilesCore as open, upload } from './open-files-core.ts';

describe('A second deletion during the first deletion of a file', () => {
  let core: FilesCore;
  let blocked: FilesCore;
  /** Lets the first deletion reach the cache. */
  let openGate: () => void;
  /** Resolves when the first deletion is about to call the cache. */
  let reached: Promise<void>;

  beforeEach(() => {
    const world = makeWorld();
    core = open({ world });
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
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

  /** Creates a cached record. */
  const createCached = async () => {
    const { id } = await core.files.create(upload({ user: 'user' }));
    for (let time = 0; time < 2; time += 1) await core.files.read(id);
    expect(await core.files.operate.cacheStats()).to.include({ entries: 1 });
    return id;
  };
  const expectMissing = async (id: string) =>
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });

  it('fails with `not_found` only once no process can read the file', async () => {
    const id = await createCached();
    const first = blocked.files.delete(id);
    await reached;
    expect(await rejectionOf(() => core.files.delete(id))).to.include({ code: 'not_found' });
    await expectMissing(id);
    openGate();
    expect(await first).to.deep.equal({ deleted: id });
  });

  it('deletes the remaining files of a user, and returns only once none of them can be read', async () => {
    const id = await createCached();
    const first = blocked.files.deleteAllOf('user');
    await reached;
    const second = await core.files.deleteAllOf('user');
    await expectMissing(id);
    openGate();
    expect((await first) + second).to.equal(1);
  });
});
