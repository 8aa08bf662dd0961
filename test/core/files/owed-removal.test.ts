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
  const isGone = async (id: string, by: FilesCore) => {
    expect(await rejectionOf(() => by.files.read(id))).to.include({ kind: 'missing', code: 'not_found' });
  };

  it('is acknowledged under a new generation, and logged', async () => {
    const id = await createRead();
    const before = await core.ports.cacheGeneration.read();
    core.link.up = false;
    expect(await core.files.delete(id)).to.deep.equal({ deleted: id });
    expect(await core.ports.cacheGeneration.read()).to.be.greaterThan(before);
    expect(core.log.lines).to.deep.equal([
      { level: 'warn', event: 'cache.removal_owed', fields: { count: 1 } },
    ]);
  });

  it('leaves an old entry that its own process never gives again', async () => {
    const id = await createRead();
    core.link.up = false;
    await core.files.delete(id);
    await isGone(id, core);
    core.link.up = true;
    expect(await core.world.cache.get(id, 1), 'what is still in the cache').to.be.a('string');
    await isGone(id, core);
  });

  it('leaves an old entry that another process gives for one more second at the most', async () => {
    const id = await createRead();
    core.link.up = false;
    await core.files.delete(id);
    core.world.pass(999);
    expect(await other.files.read(id)).to.be.a('string');
    core.world.pass(1);
    await isGone(id, other);
    await isGone(id, open({ world: core.world }));
  });

  it('is tried again until the cache is back, and then forgotten', async () => {
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

  it('leaves a tombstone when it is made up for: no late writer brings the entry back', async () => {
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

  it('is made up for by any process, a page at a time', async () => {
    const ids = [];
    for (let number = 0; number < 10; number += 1) ids.push(await createRead());
    core.link.up = false;
    await core.files.deleteAllOf('user');
    const sweeper = open({ world: core.world, policy: { page: 4 } });
    const counts = [];
    do counts.push(await sweeper.files.background.sweepRemoved());
    while (counts.at(-1) !== 0);
    expect(counts).to.deep.equal([4, 4, 2, 0]);
    expect(await core.ports.files.listRemoved(99)).to.deep.equal([]);
  });

  it('raises the generation before the records of a page, where the cache went away after the page before', async () => {
    for (let number = 0; number < 6; number += 1) await core.files.create(upload());
    const log: string[] = [];
    const cut = open({
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
            cut.link.up = false;
            return ids;
          },
        },
      }),
    });
    await cut.files.deleteAllOf('user');
    expect(log).to.deep.equal(['remove 4', 'raise', 'remove 2', 'remove 0', 'raise']);
  });

  it('is not acknowledged when the generation cannot be raised either', async () => {
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
    await isGone(id, core);
    await isGone(id, other);
  });

  it('is reported by every process, for as long as such removals go on', async () => {
    const steady = async () =>
      Promise.all([core, other].map(({ files }) => files.background.isCacheSteady()));
    const ids = [await createRead(), await createRead()];
    expect(await steady()).to.deep.equal([true, true]);
    core.link.up = false;
    for (const id of ids) {
      await core.files.delete(id);
      core.world.pass(1_000);
      expect(await steady()).to.deep.equal([false, false]);
    }
    core.world.pass(3_000);
    expect(await steady()).to.deep.equal([true, true]);
  });

  it('is reported by a process that has read nothing yet', async () => {
    const id = await createRead();
    const fresh = open({ world: core.world });
    fresh.link.up = false;
    await fresh.files.delete(id);
    expect(await fresh.files.background.isCacheSteady()).to.equal(false);
  });

  it('raises the generation once for many records, as for a page of them', async () => {
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

  it('does not raise the generation when the cache was reached, or need not be', async () => {
    const before = await core.ports.cacheGeneration.read();
    await core.files.delete(await createRead());
    await createRead();
    expect(await core.files.deleteAllOf('user')).to.equal(1);
    expect(await core.files.background.sweepRemoved()).to.equal(2);
    core.link.up = false;
    core.link.calls.length = 0;
    expect(await core.files.deleteAllOf('nobody')).to.equal(0);
    expect(await core.files.background.sweepRemoved()).to.equal(0);
    expect(core.link.calls, 'for nothing').to.deep.equal([]);
    expect(await core.ports.cacheGeneration.read()).to.equal(before);
    expect(core.log.lines).to.deep.equal([]);
  });
});
