import { expect } from 'chai';
import { unavailable } from '../../../core/errors.ts';
import type { FilesPorts } from '../../../core/files/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { openFilesCore as open, upload } from './open-files-core.ts';

/** A gate in front of single lookups in the store: those that are held go on when they are told to, with what they found. */
const makeHolding = () => {
  const held: (() => void)[] = [];
  let holding = false;
  return {
    held,
    hold: (value: boolean) => {
      holding = value;
    },
    change: ({ files }: FilesPorts): Partial<FilesPorts> => ({
      files: {
        ...files,
        find: async (id) => {
          const found = await files.find(id);
          if (holding) await new Promise<void>((go) => held.push(go));
          return found;
        },
      },
    }),
  };
};

describe('A read that takes long', () => {
  const begin = async () => {
    const lookups = makeHolding();
    const core = open({ change: lookups.change });
    const { id } = await core.files.create(upload());
    lookups.hold(true);
    const reading = core.files.read(id);
    await until(() => lookups.held.length === 1, 1_000);
    lookups.hold(false);
    const end = async () => {
      for (const go of lookups.held.splice(0)) go();
      return reading;
    };
    const cached = async () => core.world.cache.get(id, await core.ports.epoch.read());
    return { core, id, end, cached };
  };

  it('is cached up to ten seconds after it began, and not a millisecond later', async () => {
    const intime = await begin();
    intime.core.world.pass(10_000);
    expect(await intime.end()).to.equal(await intime.cached());
    const late = await begin();
    late.core.world.pass(10_001);
    expect(await late.end()).to.be.a('string');
    expect(await late.cached()).to.equal(undefined);
    const backwards = await begin();
    backwards.core.world.pass(-10_001);
    await backwards.end();
    expect(await backwards.cached()).to.equal(undefined);
  });

  it('caches nothing that was deleted meanwhile', async () => {
    const { core, id, end, cached } = await begin();
    await core.files.delete(id);
    expect(await end()).to.be.a('string');
    expect(await cached()).to.equal(undefined);
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  });

  it('caches nothing for anyone that was deleted meanwhile while the cache was down', async () => {
    const { core, id, end, cached } = await begin();
    core.link.up = false;
    await core.files.delete(id);
    core.link.up = true;
    await end();
    expect(await cached()).to.equal(undefined);
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  });

  it('is not joined by a read that begins after a deletion', async () => {
    const { core, id, end } = await begin();
    await core.files.delete(id);
    const after = rejectionOf(() => core.files.read(id));
    await end();
    expect(await after).to.include({ code: 'not_found' });
  });
});

describe('The epoch of the cache', () => {
  const counting = () => {
    const count = { reads: 0, failing: false };
    const change = ({ epoch }: FilesPorts): Partial<FilesPorts> => ({
      epoch: {
        ...epoch,
        read: async () => {
          count.reads += 1;
          if (count.failing) throw unavailable('store_unavailable', 'The store is down.');
          return epoch.read();
        },
      },
    });
    return { count, change };
  };

  it('is asked for once a second at the most, by however many reads', async () => {
    const { count, change } = counting();
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

  it('makes a read a miss, no error, while it cannot be had', async () => {
    const { count, change } = counting();
    const core = open({ change });
    const { id } = await core.files.create(upload());
    count.failing = true;
    expect(await core.files.read(id)).to.be.a('string');
    expect(core.link.calls).to.deep.equal([]);
    count.failing = false;
    await core.files.read(id);
    expect(core.link.calls).to.deep.equal(['get', 'fill']);
  });

  it('makes a read a miss when the answer took a second: it may be older than the read', async () => {
    let go = () => {};
    let gate: Promise<void> | undefined;
    const core = open({
      change: ({ epoch }) => ({
        epoch: {
          ...epoch,
          read: async () => {
            const number = await epoch.read();
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

  it('never goes back in a process that has seen a greater one', async () => {
    let answer: number | undefined;
    const core = open({
      change: ({ epoch }) => ({ epoch: { ...epoch, read: async () => answer ?? epoch.read() } }),
    });
    const before = await core.ports.epoch.read();
    await core.files.operate.outdateCache();
    const raised = await core.ports.epoch.read();
    // As an answer that was under way when the epoch was raised.
    answer = before;
    core.world.pass(1_000);
    expect((await core.files.operate.cacheStats()).epoch).to.equal(raised);
  });
});
