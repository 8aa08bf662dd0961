import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { makeMemoryFileCache } from '../../../adapters/memory/file-cache.ts';
import { unavailable } from '../../../core/errors.ts';
import { makeEntryCache } from '../../../core/files/entry-cache.ts';
import { defaultFilesPolicy } from '../../../core/files/policy.ts';
import type { FilesPorts } from '../../../core/files/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { openFilesCore as open, upload } from './open-files-core.ts';

/** A gate after single lookups in the store: a lookup that is held returns its record only when it is released. */
const makeLookupGate = () => {
  const releases: (() => void)[] = [];
  let isHolding = false;
  return {
    held: releases,
    hold: (value: boolean) => {
      isHolding = value;
    },
    change: ({ files }: FilesPorts): Partial<FilesPorts> => ({
      files: {
        ...files,
        find: async (id) => {
          const entry = await files.find(id);
          if (isHolding) await new Promise<void>((go) => releases.push(go));
          return entry;
        },
      },
    }),
  };
};

describe('A slow read', () => {
  const start = async () => {
    const lookups = makeLookupGate();
    const core = open({ change: lookups.change });
    const { id } = await core.files.create(upload());
    lookups.hold(true);
    const reading = core.files.read(id);
    await until(() => lookups.held.length === 1);
    lookups.hold(false);
    const finish = async () => {
      for (const go of lookups.held.splice(0)) go();
      return reading;
    };
    const cachedEntry = async () => core.world.cache.get(id, await core.ports.cacheGeneration.read());
    return { core, id, finish, cachedEntry };
  };

  it('is cached up to ten seconds after its start, and not a millisecond later', async () => {
    const inTime = await start();
    inTime.core.world.pass(10_000);
    expect(await inTime.finish()).to.equal(await inTime.cachedEntry());
    const tooLate = await start();
    tooLate.core.world.pass(10_001);
    expect(await tooLate.finish()).to.be.a('string');
    expect(await tooLate.cachedEntry()).to.equal(undefined);
    const setBack = await start();
    setBack.core.world.pass(-10_001);
    await setBack.finish();
    expect(await setBack.cachedEntry()).to.equal(undefined);
  });

  it('caches no record that was deleted meanwhile', async () => {
    const { core, id, finish, cachedEntry } = await start();
    await core.files.delete(id);
    expect(await finish()).to.be.a('string');
    expect(await cachedEntry()).to.equal(undefined);
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  });

  it('caches no record that was deleted meanwhile while the cache was down', async () => {
    const { core, id, finish, cachedEntry } = await start();
    core.link.up = false;
    await core.files.delete(id);
    core.link.up = true;
    await finish();
    expect(await cachedEntry()).to.equal(undefined);
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  });

  it('is not shared with a read that starts after a deletion', async () => {
    const { core, id, finish } = await start();
    await core.files.delete(id);
    const after = rejectionOf(() => core.files.read(id));
    await finish();
    expect(await after).to.include({ code: 'not_found' });
  });
});

describe('A change of records', () => {
  it('caches the new entries up to ten seconds after its start, and none later', async () => {
    for (const [milliseconds, cachedEntry] of [
      [10_000, 'changed'],
      [10_001, undefined],
      [-10_001, undefined],
    ] as const) {
      const { files, ports, world } = open();
      const { id } = await files.create(upload());
      await files.read(id);
      const entries = makeEntryCache({
        ...ports,
        policy: defaultFilesPolicy,
        cacheReads: { note: () => undefined },
      });
      await entries.change([id], async () => {
        world.pass(milliseconds);
        return [{ id, entry: 'changed' }];
      });
      const entry = await world.cache.get(id, await ports.cacheGeneration.read());
      expect(entry, String(milliseconds)).to.equal(cachedEntry);
    }
  });
});

describe('A change of records while the cache is replaced', () => {
  const start = (differences: Partial<FilesPorts['cache']> = {}) => {
    const { ports, world } = open();
    const replica = makeMemoryFileCache(world.clock);
    let primary = world.cache;
    const entries = makeEntryCache({
      ...ports,
      cache: { ...replica, remove: (...removal) => primary.remove(...removal), ...differences },
      policy: defaultFilesPolicy,
      cacheReads: { note: () => undefined },
    });
    const replace = () => {
      primary = replica;
    };
    /** Fills the cache like another process that read the entry before the change. */
    const fill = async () => replica.fill({ id: 'a', entry: 'old' }, await ports.cacheGeneration.read(), 60);
    const cachedEntry = async () => replica.get('a', await ports.cacheGeneration.read());
    return { entries, replace, fill, cachedEntry };
  };

  it('leaves no older entry, although the tombstones are lost', async () => {
    const { entries, replace, fill, cachedEntry } = start();
    await entries.change(['a'], async () => {
      replace();
      await entries.outdateAfterReplacement();
      await fill();
      return [{ id: 'a', entry: 'changed' }];
    });
    expect(await cachedEntry()).to.equal(undefined);
  });

  it('leaves no older entry if the new entries do not reach the cache', async () => {
    const { entries, replace, fill, cachedEntry } = start({
      renew: async () => Promise.reject(unavailable('cache_unavailable', 'Down.')),
    });
    await entries.change(['a'], async () => {
      replace();
      await fill();
      return [{ id: 'a', entry: 'changed' }];
    });
    expect(await cachedEntry()).to.equal(undefined);
  });
});

describe('A change of records while the cache is down', () => {
  it('ends only after the generation is raised', async () => {
    const { files, ports, link } = open();
    const { id } = await files.create(upload());
    let isRaised = false;
    const raise = async () => {
      await turn();
      isRaised = true;
      return ports.cacheGeneration.raise();
    };
    const entries = makeEntryCache({
      ...ports,
      cacheGeneration: { ...ports.cacheGeneration, raise },
      policy: defaultFilesPolicy,
      cacheReads: { note: () => undefined },
    });
    link.up = false;
    await entries.change([id], async () => [{ id, entry: 'changed' }]);
    expect(isRaised).to.equal(true);
  });
});

describe('The cache generation', () => {
  const makeCounter = () => {
    const count = { reads: 0, failing: false };
    const change = ({ cacheGeneration }: FilesPorts): Partial<FilesPorts> => ({
      cacheGeneration: {
        ...cacheGeneration,
        read: async () => {
          count.reads += 1;
          if (count.failing) throw unavailable('store_unavailable', 'The store is down.');
          return cacheGeneration.read();
        },
      },
    });
    return { count, change };
  };

  it('is read from the store at most once a second, regardless of the number of reads', async () => {
    const { count, change } = makeCounter();
    const core = open({ change });
    const ids = [];
    for (let number = 0; number < 20; number += 1) ids.push((await core.files.create(upload())).id);
    for (let second = 1; second <= 3; second += 1) {
      await Promise.all([...ids, ...ids].map((id) => core.files.read(id)));
      core.world.pass(999);
      await Promise.all(ids.map((id) => core.files.read(id)));
      expect(count.reads).to.equal(second);
      core.world.pass(1);
    }
    await core.files.read(ids[0] ?? '');
    core.world.pass(-5_000);
    await core.files.read(ids[0] ?? '');
    expect(count.reads, 'after the clock was set back').to.equal(5);
  });

  it('turns reads into misses, not errors, if it cannot be read', async () => {
    const { count, change } = makeCounter();
    const core = open({ change });
    const { id } = await core.files.create(upload());
    count.failing = true;
    expect(await core.files.read(id)).to.be.a('string');
    expect(core.link.calls).to.deep.equal([]);
    count.failing = false;
    await core.files.read(id);
    expect(core.link.calls).to.deep.equal(['get', 'fill']);
  });

  it('turns a read into a miss if its own lookup took a second and may be outdated', async () => {
    let go = () => {};
    let gate: Promise<void> | undefined;
    const core = open({
      change: ({ cacheGeneration }) => ({
        cacheGeneration: {
          ...cacheGeneration,
          read: async () => {
            const number = await cacheGeneration.read();
            await gate;
            return number;
          },
        },
      }),
    });
    const other = open({ world: core.world });
    const { id } = await core.files.create(upload());
    await core.files.read(id);
    core.world.pass(1_000);
    gate = new Promise((resolve) => {
      go = resolve;
    });
    const { id: another } = await core.files.create(upload());
    const before = core.files.read(another);
    other.link.up = false;
    await other.files.delete(id);
    core.world.pass(1_000);
    const after = rejectionOf(() => core.files.read(id));
    go();
    await before;
    expect(await after).to.include({ code: 'not_found' });
  });

  it('never decreases in a process that has seen a greater number', async () => {
    let generationRead: number | undefined;
    const core = open({
      change: ({ cacheGeneration }) => ({
        cacheGeneration: { ...cacheGeneration, read: async () => generationRead ?? cacheGeneration.read() },
      }),
    });
    const before = await core.ports.cacheGeneration.read();
    await core.files.operate.outdateCache();
    const raised = await core.ports.cacheGeneration.read();
    // Simulates a lookup that was pending when the generation was raised.
    generationRead = before;
    core.world.pass(1_000);
    expect((await core.files.operate.cacheStats()).epoch).to.equal(raised);
  });
});
