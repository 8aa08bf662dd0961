import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { invalid, unavailable } from '../../../core/errors.ts';
import type { FileCache } from '../../../core/files/ports.ts';
import { isId } from '../../../core/ids.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { type FilesCore, makeWorld, openFilesCore as open, upload } from './open-files-core.ts';

const HOUR = 3_600_000;

describe('Entries in the cache', () => {
  let core: FilesCore;
  let other: FilesCore;

  beforeEach(() => {
    const world = makeWorld();
    core = open({ world });
    other = open({ world });
  });

  const create = async () => (await core.files.create(upload())).id;
  const cached = async (id: string) => core.world.cache.get(id, await core.ports.cacheGeneration.read());
  /** Reads it and waits until it is cached. */
  const readInto = async (id: string, by = core) => {
    const entry = await by.files.read(id);
    await until(async () => (await cached(id)) === entry);
    return entry;
  };
  /** Takes the record away behind the cache's back, so that a read tells where it comes from. */
  const removeFromStore = (id: string) => core.ports.files.remove(id);
  const isGone = async (id: string, by = core) => {
    expect(await rejectionOf(() => by.files.read(id))).to.include({ kind: 'missing', code: 'not_found' });
  };

  it('are cached by the first read, and given from there to every process', async () => {
    const id = await create();
    expect(await cached(id)).to.equal(undefined);
    const entry = await readInto(id);
    await removeFromStore(id);
    expect(await core.files.read(id)).to.equal(entry);
    expect(await other.files.read(id)).to.equal(entry);
  });

  it('live for an hour from then on, however often they are read', async () => {
    const id = await create();
    await readInto(id);
    await removeFromStore(id);
    core.world.pass(HOUR - 1);
    expect(isId(JSON.parse(await core.files.read(id)).id)).to.equal(true);
    core.world.pass(1);
    await isGone(id);
  });

  it('are not cached for ids that are not there', async () => {
    const id = '0190a1b2-0000-7000-8000-000000000000';
    await isGone(id);
    await isGone('not an id');
    expect(await core.files.operate.cacheStats()).to.include({ entries: 0 });
    expect(core.link.calls.filter((call) => call !== 'stats')).to.deep.equal(['get']);
  });

  it('are deleted everywhere when a deletion is acknowledged', async () => {
    const id = await create();
    await readInto(id);
    await readInto(id, other);
    await core.files.delete(id);
    await isGone(id, other);
    await isGone(id);
    expect(await cached(id)).to.equal(undefined);
  });

  it('are counted, and all cleared at once', async () => {
    const ids = [await create(), await create(), await create()];
    for (const id of ids) await readInto(id);
    const { entries, bytes, epoch } = await core.files.operate.cacheStats();
    expect([entries, epoch]).to.deep.equal([3, await core.ports.cacheGeneration.read()]);
    expect(bytes).to.be.greaterThan(300);
    expect(await core.files.operate.clearCache()).to.equal(3);
    expect(await core.files.operate.clearCache()).to.equal(0);
    for (const id of ids) expect(await cached(id)).to.equal(undefined);
  });

  it('are a miss after a new generation: at once where it was raised, within a second elsewhere', async () => {
    const [first, second] = [await create(), await create()];
    for (const id of [first, second]) await readInto(id);
    await other.files.read(first);
    for (const id of [first, second]) await removeFromStore(id);
    await core.files.operate.outdateCache();
    await isGone(first);
    core.world.pass(999);
    expect(await other.files.read(first)).to.be.a('string');
    core.world.pass(1);
    await isGone(first, other);
    await isGone(second, other);
  });

  it('are a miss at once in a process that learns that the cache was away, or was replaced', async () => {
    const [first, second] = [await create(), await create()];
    for (const id of [first, second]) await readInto(id);
    for (const id of [first, second]) await other.files.read(id);
    for (const id of [first, second]) await removeFromStore(id);
    await core.files.operate.outdateCache();
    expect(await other.files.read(first)).to.be.a('string');
    await other.files.background.cacheReturned();
    await isGone(first, other);
    expect(await other.files.background.isCacheSteady()).to.equal(false);

    const id = await create();
    await readInto(id);
    await removeFromStore(id);
    const before = await core.ports.cacheGeneration.read();
    await core.files.background.cacheReturned();
    expect(await core.files.read(id), 'of the same cache').to.be.a('string');
    await core.files.background.cacheReturned(true);
    expect(await core.ports.cacheGeneration.read()).to.be.greaterThan(before);
    await isGone(id);
  });

  it('are steady 2.5 seconds after a new generation, and while the store is down', async () => {
    const steady = () => core.files.background.isCacheSteady();
    await core.files.background.cacheReturned();
    expect(await steady()).to.equal(true);
    await core.files.operate.outdateCache();
    core.world.pass(2_499);
    expect(await steady()).to.equal(false);
    core.world.pass(1);
    const failing = (error: Error) =>
      open({
        world: core.world,
        change: ({ cacheGeneration }) => ({
          cacheGeneration: { ...cacheGeneration, read: () => Promise.reject(error) },
        }),
      });
    expect(await steady()).to.equal(true);
    const down = unavailable('store_unavailable', 'The store is down.');
    expect(await failing(down).files.background.isCacheSteady()).to.equal(true);
    const bug = new Error('A bug.');
    expect(await rejectionOf(() => failing(bug).files.background.isCacheSteady())).to.equal(bug);
  });

  it('hide no error of the cache but that it is down', async () => {
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
      const answerOf = (call: Promise<unknown>) => call.catch(String);
      const entry = await core.ports.files.find(id);
      expect(await answerOf(failing(['get']).files.read(id))).to.equal(isKnown ? entry : String(error));
      const deleted = await answerOf(failing(['remove']).files.delete(id));
      expect(deleted).to.deep.equal(isKnown ? { deleted: id } : String(error));
    }
  });

  it('are cached again under the new generation', async () => {
    const id = await create();
    await readInto(id);
    await core.files.operate.outdateCache();
    expect(await cached(id)).to.equal(undefined);
    await readInto(id);
    await removeFromStore(id);
    expect(await core.files.read(id)).to.be.a('string');
  });

  it('are read from the store while the cache is down, and cached when it is back', async () => {
    const id = await create();
    core.link.up = false;
    const entry = await core.files.read(id);
    expect(entry).to.equal(await core.ports.files.find(id));
    expect(core.log.lines).to.deep.equal([]);
    core.link.up = true;
    expect(await cached(id)).to.equal(undefined);
    expect(await readInto(id)).to.equal(entry);
  });
});
