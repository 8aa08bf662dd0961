import { expect } from 'chai';
import type { Row, Scalar } from '../../../../adapters/sql/database.ts';
import { makeCacheReads } from '../../../../adapters/sqlite/cache/file-cache.ts';
import { unavailable } from '../../../../core/errors.ts';

const clock = { now: () => 1_000 };

/** A cache with every entry but `none`, which records the parameters of its queries. */
const makeCache = () => {
  const queries: (readonly Scalar[])[] = [];
  const all = (_sql: string, params: readonly Scalar[]): readonly Row[] => {
    queries.push(params);
    const [ids, epoch] = params;
    const cachedIds = (JSON.parse(String(ids)) as string[]).filter((id) => id !== 'none');
    return cachedIds.map((id) => ({ id, entry: `${id} of ${epoch}` }));
  };
  return { all, queries };
};

describe('Reads of the embedded cache', () => {
  it('share one query per turn of the event loop, and each returns its own entry', async () => {
    const cache = makeCache();
    const get = makeCacheReads(cache, clock);
    const reads = ['a', 'none', 'b', 'a'].map((id) => get(id, 7));
    expect(await Promise.all(reads)).to.deep.equal(['a of 7', undefined, 'b of 7', 'a of 7']);
    expect(cache.queries).to.have.length(1);
    expect(await get('c', 7)).to.equal('c of 7');
    expect(cache.queries.at(-1)).to.deep.equal(['["c"]', 7, 1_000]);
  });

  it('use one query for each generation of the cache', async () => {
    const cache = makeCache();
    const get = makeCacheReads(cache, clock);
    const reads = [get('a', 1), get('a', 2), get('b', 1)];
    expect(await Promise.all(reads)).to.deep.equal(['a of 1', 'a of 2', 'b of 1']);
    expect(cache.queries).to.have.length(2);
  });

  it('are split into queries of at most 64 ids', async () => {
    const cache = makeCache();
    const get = makeCacheReads(cache, clock);
    const ids = Array.from({ length: 200 }, (_, place) => `file-${place}`);
    const entries = await Promise.all(ids.map((id) => get(id, 7)));
    expect(entries).to.deep.equal(ids.map((id) => `${id} of 7`));
    const sizes = cache.queries.map(([idsParam]) => (JSON.parse(String(idsParam)) as string[]).length);
    expect(sizes).to.deep.equal([64, 64, 64, 8]);
  });

  it('fail together if their query fails, and alone if their id is invalid', async () => {
    const down = unavailable('cache_unavailable', 'down', 1);
    const failQuery = () => {
      throw down;
    };
    const failingGet = makeCacheReads({ all: failQuery }, clock);
    const outcomes = await Promise.allSettled([failingGet('a', 7), failingGet('b', 7)]);
    for (const outcome of outcomes) expect(outcome).to.deep.equal({ status: 'rejected', reason: down });

    const get = makeCacheReads(makeCache(), clock);
    const [invalid, valid] = await Promise.allSettled([get('\ud800', 7), get('a', 7)]);
    expect(invalid).to.have.property('reason').that.is.instanceOf(TypeError);
    expect(valid).to.have.property('value', 'a of 7');
  });
});
