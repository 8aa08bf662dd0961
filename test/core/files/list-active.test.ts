import { expect } from 'chai';
import { listActive } from '../../../core/files/list-active.ts';

/** A ranking of records with the given read counts and times; each id is the record's index. */
const rankingOf = (records: readonly (readonly [accesses: number, accessedAt: number])[]) => {
  const ranked = records.map(([accesses, accessedAt], place) => ({ accesses, accessedAt, id: `${place}` }));
  const queries: string[] = [];
  return {
    ranked,
    queries,
    ranking: (since: number) => ({
      ofCount: async (
        { id, accesses }: { readonly id: string; readonly accesses: number },
        limit: number,
      ) => {
        queries.push(`${limit} behind ${id}`);
        return ranked
          .slice(Number(id) + 1)
          .filter((record) => record.accesses === accesses && record.accessedAt >= since)
          .slice(0, limit);
      },
      below: async (accesses: number, limit: number) => {
        queries.push(`${limit} below`);
        return ranked.filter((record) => record.accesses < accesses).slice(0, limit);
      },
    }),
  };
};

describe('The list of active records', () => {
  const records = [
    [9, 50],
    [9, 20],
    [9, 10],
    [7, 40],
    [5, 30],
    [5, 30],
    [5, 29],
    [2, 10],
    [2, 10],
    [1, 30],
  ] as const;

  it('returns the records read since a time, in rank order, from any position up to any limit', async () => {
    for (const since of [0, 10, 30, 41, 99]) {
      const { ranked, ranking } = rankingOf(records);
      for (const after of [null, ...ranked.filter(({ accessedAt }) => accessedAt >= since)]) {
        const rest = ranked.filter(
          ({ id, accessedAt }) => accessedAt >= since && (after === null || Number(id) > Number(after.id)),
        );
        for (let limit = 1; limit <= 11; limit += 1) {
          const page = await listActive(ranking(since), since, after, limit);
          expect(page, `${limit} of ${since} behind ${after?.id}`).to.deep.equal(rest.slice(0, limit));
        }
      }
    }
  });

  it('makes no more queries than needed, and requests no more records', async () => {
    const queriesOf = async (since: number, limit: number) => {
      const { queries, ranking } = rankingOf(records);
      await listActive(ranking(since), since, null, limit);
      return queries;
    };
    expect(await queriesOf(0, 10)).to.deep.equal(['10 below']);
    expect(await queriesOf(0, 11)).to.deep.equal(['11 below']);
    expect(await queriesOf(30, 5)).to.deep.equal(['5 below', '2 behind 4', '1 below', '1 below']);
    expect(await queriesOf(99, 7)).to.deep.equal(['7 below', '7 below']);
  });
});
