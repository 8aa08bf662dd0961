import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { invalid, unavailable } from '../../../core/errors.ts';
import type { FileCache } from '../../../core/files/ports.ts';
import { isId } from '../../../core/ids.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { type FilesCore, makeWorld, openFilesCore as open, upload } from './open-files-core.ts';

const HOUR = 3_600_000;

describe('Cached entries', () => {
  let core: FilesCore;
  let other: FilesCore;

  beforeEach(() => {
    const world = makeWorld();
    core = open({ world });
    other = open({ world });
  });

  const create = async () => (await core.files.create(upload())).id;
  const cachedEntry = async (id: string) => core.world.cache.get(id, await core.ports.cacheGeneration.read());
  /** Reads a record and waits until its entry is cached. */
  const readIntoCache = async (id: string, reader = core) => {
    const entry = await reader.files.read(id);
    await until(async () => (await cachedEntry(id)) === entry);
    return entry;
  };
  /** Removes a record from the store only, so that a successful read must come from the cache. */
  const removeFromStore = (id: string) => core.ports.files.remove(id);
  const expectMissing = async (id: string, reader = core) => {
    expect(await rejectionOf(() => reader.files.read(id))).to.include({ kind: 'missing', code: 'not_found' });
  };

  it('are stored by the first read, and returned to every process', async () => {
    const id = await create();
    expect(await cachedEntry(id)).to.equal(undefined);
    const entry = await readIntoCache(id);
    await removeFromStore(id);
    expect(await core.files.read(id)).to.equal(entry);
    expect(await other.files.read(id)).to.equal(entry);
  });

  it('expire an hour after the first read, regardless of further reads', async () => {
    const id = await create();
    await readIntoCache(id);
    await removeFromStore(id);
    core.world.pass(HOUR - 1);
    expect(isId(JSON.parse(await core.files.read(id)).id)).to.equal(true);
    core.world.pass(1);
    await expectMissing(id);
  });

  it('are not stored for unknown ids', async () => {
    const id = '0190a1b2-0000-7000-8000-000000000000';
    await expectMissing(id);
    await expectMissing('not an id');
    expect(await core.files.operate.cacheStats()).to.include({ entries: 0 });
    expect(core.link.calls.filter((call) => call !== 'stats')).to.deep.equal(['get']);
  });

  it('are deleted in every process once a deletion is acknowledged', async () => {
    const id = await create();
    await readIntoCache(id);
    await readIntoCache(id, other);
    await core.files.delete(id);
    await expectMissing(id, other);
    await expectMissing(id);
    expect(await cachedEntry(id)).to.equal(undefined);
  });

  it('are counted, and are cleared all at once', async () => {
    const ids = [await create(), await create(), await create()];
    for (const id of ids) await readIntoCache(id);
    const { entries, bytes, epoch } = await core.files.operate.cacheStats();
    expect([entries, epoch]).to.deep.equal([3, await core.ports.cacheGeneration.read()]);
    expect(bytes).to.be.greaterThan(300);
    expect(await core.files.operate.clearCache()).to.equal(3);
    expect(await core.files.operate.clearCache()).to.equal(0);
    for (const id of ids) expect(await cachedEntry(id)).to.equal(undefined);
  });

  it('become misses after a new generation: at once where it was raised, elsewhere in a second', async () => {
    const [first, second] = [await create(), await create()];
    for (const id of [first, second]) await readIntoCache(id);
    await other.files.read(first);
    for (const id of [first, second]) await removeFromStore(id);
    await core.files.operate.outdateCache();
    await expectMissing(first);
    core.world.pass(999);
    expect(await other.files.read(first)).to.be.a('string');
    core.world.pass(1);
    await expectMissing(first, other);
    await expectMissing(second, other);
  });

  it('become misses at once if a process learns of an outage or replacement of the cache', async () => {
    const [first, second] = [await create(), await create()];
    for (const id of [first, second]) await readIntoCache(id);
    for (const id of [first, second]) await other.files.read(id);
    for (const id of [first, second]) await removeFromStore(id);
    await core.files.operate.outdateCache();
    expect(await other.files.read(first)).to.be.a('string');
    await other.files.background.cacheReturned();
    await expectMissing(first, other);
    expect(await other.files.background.isCacheSteady()).to.equal(false);

    const id = await create();
    await readIntoCache(id);
    await removeFromStore(id);
    const before = await core.ports.cacheGeneration.read();
    await core.files.background.cacheReturned();
    expect(await core.files.read(id), 'the cache was not replaced').to.be.a('string');
    await core.files.background.cacheReturned(true);
    expect(await core.ports.cacheGeneration.read()).to.be.greaterThan(before);
    await expectMissing(id);
  });

  it('are reported as steady 2.5 seconds after a new generation, and while the store is down', async () => {
    const isSteady = () => core.files.background.isCacheSteady();
    await core.files.background.cacheReturned();
    expect(await isSteady()).to.equal(true);
    await core.files.operate.outdateCache();
    core.world.pass(2_499);
    expect(await isSteady()).to.equal(false);
    core.world.pass(1);
    const failing = (error: Error) =>
      open({
        world: core.world,
        change: ({ cacheGeneration }) => ({
          cacheGeneration: { ...cacheGeneration, read: () => Promise.reject(error) },
        }),
      });
    expect(await isSteady()).to.equal(true);
    const down = unavailable('store_unavailable', 'The store is down.');
    expect(await failing(down).files.background.isCacheSteady()).to.equal(true);
    const bug = new Error('A bug.');
    expect(await rejectionOf(() => failing(bug).files.background.isCacheSteady())).to.equal(bug);
  });

  it('hide only the error that the cache is down', async () => {
    const down = unavailable('cache_unavailable', 'The cache is down.');
    for (const error of [
      down,
      invalid('invalid_request', 'A bug.'),
      Object.assign(new Error(), { kind: down.kind }),
    ]) {
      const fail = () => Promise.reject(error);
      const failing = (names: readonly (keyof FileCache)[]) =>
        open({
          world: core.world,
          change: ({ cache }) => ({
            cache: { ...cache, ...Object.fromEntries(names.map((name) => [name, fail])) },
          }),
        });
      const id = await create();
      const filling = failing(['fill']);
      expect(await filling.files.read(id)).to.be.a('string');
      await turn();
      const isKnown = error === down;
      expect(filling.log.lines).to.deep.equal(
        isKnown ? [] : [{ level: 'error', event: 'cache.failed', fields: { error } }],
      );
      const resultOf = (call: Promise<unknown>) => call.catch(String);
      const entry = await core.ports.files.find(id);
      expect(await resultOf(failing(['get']).files.read(id))).to.equal(isKnown ? entry : String(error));
      const deleted = await resultOf(failing(['remove']).files.delete(id));
      expect(deleted).to.deep.equal(isKnown ? { deleted: id } : String(error));
    }
  });

  it('are stored again under a new generation', async () => {
    const id = await create();
    await readIntoCache(id);
    await core.files.operate.outdateCache();
    expect(await cachedEntry(id)).to.equal(undefined);
    await readIntoCache(id);
    await removeFromStore(id);
    expect(await core.files.read(id)).to.be.a('string');
  });

  it('are bypassed while the cache is down, and stored when it is back', async () => {
    const id = await create();
    core.link.up = false;
    const entry = await core.files.read(id);
    expect(entry).to.equal(await core.ports.files.find(id));
    expect(core.log.lines).to.deep.equal([]);
    core.link.up = true;
    expect(await cachedEntry(id)).to.equal(undefined);
    expect(await readIntoCache(id)).to.equal(entry);
  });
});
