import { expect } from 'chai';
import { unavailable } from '../../../core/errors.ts';
import type { Accesses, FilesPorts } from '../../../core/files/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { createSome, type FilesCore, openFilesCore as open } from './open-files-core.ts';

/** An activity port that records each batch of counts, and can fail or delay its writes. */
const makeWrites = () => {
  const writes = {
    batches: [] as (readonly Accesses[])[],
    failing: false,
    /** If true, each batch is stored, but its call fails. */
    replyLost: false,
    gate: undefined as Promise<void> | undefined,
  };
  const change = ({ activity }: FilesPorts): Partial<FilesPorts> => ({
    activity: {
      ...activity,
      add: async (accesses, mark) => {
        writes.batches.push(accesses);
        await writes.gate;
        const down = unavailable('store_unavailable', 'The store is down.');
        if (writes.failing) throw down;
        await activity.add(accesses, mark);
        if (writes.replyLost) throw down;
      },
    },
  });
  return Object.assign(writes, { change });
};

describe('The read counter', () => {
  let core: FilesCore;
  let writes: ReturnType<typeof makeWrites>;

  beforeEach(() => {
    writes = makeWrites();
    core = open({ change: writes.change, policy: { accessesWaiting: 4 } });
  });

  const read = async (id: string | undefined, times = 1) => {
    for (let time = 0; time < times; time += 1) await core.files.read(id ?? '');
  };
  const flush = () => core.files.background.flushAccesses();
  const listCounts = async () => {
    const ranking = await core.ports.activity.list('user', 0, null, 99);
    return new Map(ranking.map(({ id, accesses }) => [id, accesses]));
  };

  it('writes nothing during a read, and all counts at once in a flush', async () => {
    const ids = await createSome(core, 3);
    await read(ids[0], 5);
    await read(ids[1]);
    expect(writes.batches).to.deep.equal([]);
    await flush();
    expect(writes.batches).to.have.length(1);
    expect(await listCounts()).to.deep.equal(
      new Map([
        [ids[0], 5],
        [ids[1], 1],
      ]),
    );
    await flush();
    expect(writes.batches, 'without new reads').to.have.length(1);
  });

  it('counts reads from the cache and from the store, with the time of the last read', async () => {
    const [id] = await createSome(core, 1);
    await read(id, 2);
    core.world.pass(500);
    core.link.up = false;
    await read(id, 2);
    core.world.pass(500);
    await flush();
    const [active] = await core.ports.activity.list('user', 0, null, 9);
    expect(active).to.include({ accesses: 4, accessedAt: core.world.clock.now() - 500 });
  });

  it('keeps the latest read time if the clock is set back', async () => {
    const [id] = await createSome(core, 1);
    const latest = core.world.clock.now();
    await read(id);
    core.world.pass(-500);
    await read(id);
    await flush();
    const [active] = await core.ports.activity.list('user', 0, null, 9);
    expect(active).to.include({ accesses: 2, accessedAt: latest });
  });

  it('counts concurrent reads one by one, and no failed reads, lists or syncs', async () => {
    const [id = ''] = await createSome(core, 1);
    await Promise.all(Array.from({ length: 50 }, () => core.files.read(id)));
    await rejectionOf(() => core.files.read('0190a1b2-0000-7000-8000-000000000000'));
    await core.files.list({ userId: 'user', limit: 9 });
    await core.files.syncCache({ user: 'user', type: 'allOne' });
    await flush();
    expect(await listCounts()).to.deep.equal(new Map([[id, 50]]));
    expect(writes.batches.flat()).to.have.length(1);
  });

  it('keeps counts whose write failed, and adds later reads to them', async () => {
    const ids = await createSome(core, 2);
    await read(ids[0], 2);
    writes.failing = true;
    expect(await rejectionOf(flush)).to.include({ kind: 'unavailable' });
    core.world.pass(10);
    await read(ids[0]);
    await read(ids[1]);
    expect(await rejectionOf(flush)).to.include({ kind: 'unavailable' });
    writes.failing = false;
    await flush();
    expect(await listCounts()).to.deep.equal(
      new Map([
        [ids[0], 3],
        [ids[1], 1],
      ]),
    );
  });

  it('counts a batch once if its write succeeded but the call failed', async () => {
    const ids = await createSome(core, 3);
    for (const id of ids.slice(0, 2)) await read(id);
    writes.replyLost = true;
    await rejectionOf(flush);
    await read(ids[0]);
    await read(ids[2]);
    await rejectionOf(flush);
    writes.replyLost = false;
    await flush();
    const counts = await listCounts();
    expect(ids.map((id) => counts.get(id))).to.deep.equal([2, 1, 1]);
  });

  it('keeps reads that happen during a write, whether the write succeeds or fails', async () => {
    const ids = await createSome(core, 2);
    for (const failing of [false, true]) {
      let openGate = () => {};
      writes.gate = new Promise((resolve) => {
        openGate = resolve;
      });
      writes.failing = failing;
      await read(ids[0], 2);
      const before = writes.batches.length;
      const pendingFlush = flush().catch(() => undefined);
      await until(() => writes.batches.length > before);
      await read(ids[0]);
      await read(ids[1]);
      openGate();
      await pendingFlush;
      writes.gate = undefined;
      writes.failing = false;
    }
    await flush();
    expect(await listCounts()).to.deep.equal(
      new Map([
        [ids[0], 6],
        [ids[1], 2],
      ]),
    );
  });

  it('writes all reads before a flush call by the end of that flush', async () => {
    const [id] = await createSome(core, 1);
    let openGate = () => {};
    writes.gate = new Promise((resolve) => {
      openGate = resolve;
    });
    await read(id);
    const first = flush();
    await read(id);
    const [second, third] = [flush(), flush()];
    openGate();
    await Promise.all([second, third]);
    expect(await listCounts()).to.deep.equal(new Map([[id, 2]]));
    await first;
    expect(writes.batches.length).to.be.at.most(3);
  });

  it('writes early if many files wait, and starts no further writes while that write fails', async () => {
    const ids = await createSome(core, 12);
    await read(ids[0], 9);
    for (const id of ids.slice(1, 3)) await read(id);
    expect(writes.batches).to.have.length(0);
    writes.failing = true;
    await read(ids[3]);
    await until(() => core.log.lines.length > 0);
    expect(core.log.lines).to.have.nested.property('[0].event', 'files.accesses_waiting');
    for (const id of ids) await read(id, 3);
    expect(writes.batches).to.have.length(1);
    writes.failing = false;
    await flush();
    const counts = await listCounts();
    expect(ids.slice(0, 4).map((id) => counts.get(id))).to.deep.equal([12, 4, 4, 4]);
  });

  it('keeps counts for at most twice the limit of files while the store fails', async () => {
    const ids = await createSome(core, 12);
    writes.failing = true;
    for (const id of ids) await read(id, 2);
    await rejectionOf(flush);
    for (const id of ids) await read(id, 2);
    writes.failing = false;
    await flush();
    expect((await listCounts()).size).to.equal(8);
  });

  it('keeps files that are read again during a write within the limit of waiting files', async () => {
    const ids = await createSome(core, 12);
    let openGate = () => {};
    writes.gate = new Promise((resolve) => {
      openGate = resolve;
    });
    for (const id of ids.slice(0, 4)) await read(id);
    await until(() => writes.batches.length > 0);
    for (const id of ids.slice(0, 4)) await read(id);
    openGate();
    await until(async () => (await listCounts()).size === 4);
    for (const id of ids.slice(4)) await read(id);
    await flush();
    expect((await listCounts()).size).to.equal(8);
  });
});
