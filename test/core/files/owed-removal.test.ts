import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type FilesCore, makeWorld, openFilesCore as open, upload } from './open-files-core.ts';

describe('A removal that does not reach the cache', () => {
  let core: FilesCore;
  let other: FilesCore;

  beforeEach(() => {
    const world = makeWorld();
    core = open({ world, policy: { page: 4 } });
    other = open({ world });
  });

  const createRead = async () => {
    const { id } = await core.files.create(upload());
    await core.files.read(id);
    await other.files.read(id);
    return id;
  };
  const expectMissing = async (id: string, reader: FilesCore) => {
    expect(await rejectionOf(() => reader.files.read(id))).to.include({ kind: 'missing', code: 'not_found' });
  };

  it('is acknowledged after the generation is raised, and is logged', async () => {
    const id = await createRead();
    const before = await core.ports.cacheGeneration.read();
    core.link.up = false;
    expect(await core.files.delete(id)).to.deep.equal({ deleted: id });
    expect(await core.ports.cacheGeneration.read()).to.be.greaterThan(before);
    expect(core.log.lines).to.deep.equal([
      { level: 'warn', event: 'cache.removal_owed', fields: { count: 1 } },
    ]);
  });

  it('leaves an old entry that its own process never returns again', async () => {
    const id = await createRead();
    core.link.up = false;
    await core.files.delete(id);
    await expectMissing(id, core);
    core.link.up = true;
    expect(await core.world.cache.get(id, 1), 'the cache still has the entry').to.be.a('string');
    await expectMissing(id, core);
  });

  it('leaves an old entry that another process returns for at most one more second', async () => {
    const id = await createRead();
    core.link.up = false;
    await core.files.delete(id);
    core.world.pass(999);
    expect(await other.files.read(id)).to.be.a('string');
    core.world.pass(1);
    await expectMissing(id, other);
    await expectMissing(id, open({ world: core.world }));
  });

  it('is retried until the cache is back, and then dropped', async () => {
    const id = await createRead();
    core.link.up = false;
    await core.files.delete(id);
    for (let round = 0; round < 3; round += 1) {
      expect(await core.files.background.sweepRemoved()).to.equal(0);
      expect(await core.ports.files.listRemoved(9)).to.deep.equal([id]);
    }
    core.link.up = true;
    expect(await core.files.background.sweepRemoved()).to.equal(1);
    expect(await core.ports.files.listRemoved(9)).to.deep.equal([]);
    for (let epoch = 0; epoch < 5; epoch += 1)
      expect(await core.world.cache.get(id, epoch)).to.equal(undefined);
    expect(await core.files.background.sweepRemoved()).to.equal(0);
  });

  it('leaves a tombstone when it is retried, so that a late fill is refused', async () => {
    const id = await createRead();
    const entry = await core.files.read(id);
    core.link.up = false;
    await core.files.delete(id);
    core.link.up = true;
    await core.files.background.sweepRemoved();
    const generation = await core.ports.cacheGeneration.read();
    await core.world.cache.fill({ id, entry }, generation, 60);
    core.world.pass(59_999);
    expect(await core.world.cache.load([{ id, entry }], generation, 60)).to.equal(0);
    expect(await core.world.cache.get(id, generation)).to.equal(undefined);
  });

  it('is retried by any process, a page at a time', async () => {
    const ids = [];
    for (let number = 0; number < 10; number += 1) ids.push(await createRead());
    core.link.up = false;
    await core.files.deleteAllOf('user');
    for (const id of ids) expect(await core.world.cache.get(id, 1)).to.be.a('string');
    const sweeper = open({ world: core.world, policy: { page: 4 } });
    const counts = [];
    do counts.push(await sweeper.files.background.sweepRemoved());
    while (counts.at(-1) !== 0);
    expect(counts).to.deep.equal([4, 4, 2, 0]);
    for (const id of ids) expect(await core.world.cache.get(id, 1)).to.equal(undefined);
    expect(await core.ports.files.listRemoved(99)).to.deep.equal([]);
  });

  it('raises the generation before each further page if the cache goes down between pages', async () => {
    for (let number = 0; number < 6; number += 1) await core.files.create(upload());
    const log: string[] = [];
    const disconnecting = open({
      world: core.world,
      policy: { page: 4 },
      change: ({ cacheGeneration, files }) => ({
        cacheGeneration: {
          ...cacheGeneration,
          raise: async () => {
            log.push('raise');
            return cacheGeneration.raise();
          },
        },
        files: {
          ...files,
          removeSome: async (...input) => {
            const ids = await files.removeSome(...input);
            log.push(`remove ${ids.length}`);
            disconnecting.link.up = false;
            return ids;
          },
        },
      }),
    });
    await disconnecting.files.deleteAllOf('user');
    expect(log).to.deep.equal(['remove 4', 'raise', 'remove 2', 'remove 0', 'raise']);
  });

  it('is not acknowledged if the generation cannot be raised either', async () => {
    const failing = open({
      world: core.world,
      change: ({ cacheGeneration }) => ({
        cacheGeneration: {
          ...cacheGeneration,
          raise: async () => {
            throw new Error('The store is down, too.');
          },
        },
      }),
    });
    const id = await createRead();
    failing.link.up = false;
    expect(await rejectionOf(() => failing.files.delete(id))).to.include({
      message: 'The store is down, too.',
    });
    expect(await core.files.background.sweepRemoved()).to.equal(1);
    await expectMissing(id, core);
    await expectMissing(id, other);
  });

  it('makes every process report an unsteady cache while such removals continue', async () => {
    const areSteady = async () =>
      Promise.all([core, other].map(({ files }) => files.background.isCacheSteady()));
    const ids = [await createRead(), await createRead()];
    expect(await areSteady()).to.deep.equal([true, true]);
    core.link.up = false;
    for (const id of ids) {
      await core.files.delete(id);
      core.world.pass(1_000);
      expect(await areSteady()).to.deep.equal([false, false]);
    }
    core.world.pass(3_000);
    expect(await areSteady()).to.deep.equal([true, true]);
  });

  it('makes a process report an unsteady cache before its first read', async () => {
    const id = await createRead();
    const fresh = open({ world: core.world });
    fresh.link.up = false;
    await fresh.files.delete(id);
    expect(await fresh.files.background.isCacheSteady()).to.equal(false);
  });

  it('raises the generation once for a page of records', async () => {
    for (let number = 0; number < 13; number += 1) await createRead();
    const before = await core.ports.cacheGeneration.read();
    let raised = 0;
    const counting = open({
      world: core.world,
      policy: { page: 4 },
      change: ({ cacheGeneration }) => ({
        cacheGeneration: {
          ...cacheGeneration,
          raise: () => {
            raised += 1;
            return cacheGeneration.raise();
          },
        },
      }),
    });
    counting.link.up = false;
    expect(await counting.files.deleteAllOf('user')).to.equal(13);
    expect(raised).to.equal(2);
    expect(await core.ports.cacheGeneration.read()).to.be.greaterThan(before);
  });

  it('does not raise the generation if the cache was reached, or nothing was removed', async () => {
    const before = await core.ports.cacheGeneration.read();
    await core.files.delete(await createRead());
    await createRead();
    expect(await core.files.deleteAllOf('user')).to.equal(1);
    expect(await core.files.background.sweepRemoved()).to.equal(2);
    core.link.up = false;
    core.link.calls.length = 0;
    expect(await core.files.deleteAllOf('nobody')).to.equal(0);
    expect(await core.files.background.sweepRemoved()).to.equal(0);
    expect(core.link.calls, 'no removal, no call').to.deep.equal([]);
    expect(await core.ports.cacheGeneration.read()).to.equal(before);
    expect(core.log.lines).to.deep.equal([]);
  });
});
