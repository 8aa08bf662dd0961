import { expect } from 'chai';
import { CoreError, invalid, unavailable } from '../../core/errors.ts';
import { importLines, makeLineReader } from '../../core/import-lines.ts';
import { rejectionOf } from '../contracts/rejection.ts';

const linesOf = async function* (count: number) {
  for (let number = 1; number <= count; number += 1) yield String(number);
};

/** Takes so many lines at once, refuses those beyond, and notes what it took. */
const storeFor = (most: number) => {
  const taken: string[] = [];
  let underWay = 0;
  let calls = 0;
  return {
    taken,
    calls: () => calls,
    importOne: async (line: string): Promise<'added' | 'skipped'> => {
      calls += 1;
      underWay += 1;
      try {
        const isFull = underWay > most;
        await Promise.resolve();
        if (isFull) throw unavailable('store_unavailable', 'Too many.');
        taken.push(line);
        return 'added';
      } finally {
        underWay -= 1;
      }
    },
  };
};

describe('An import', () => {
  const quiet = { onBad: () => undefined, onProgress: () => undefined };

  it('tells of a line as bad whatever reading it throws, and takes the others', async () => {
    const read = makeLineReader((line: string): string => {
      if (line === '2') throw new RangeError('Maximum call stack size exceeded');
      if (line === '3') throw invalid('invalid_line', 'It is the third.');
      return line;
    });
    const problems: [number, string][] = [];
    const options = { ...quiet, onBad: (at: number, problem: string) => void problems.push([at, problem]) };
    const { taken, importOne } = storeFor(8);
    const counts = await importLines(linesOf(4), options, async (line) => importOne(read(line)));
    expect(counts).to.deep.equal({ added: 2, skipped: 0, bad: 2 });
    expect(taken).to.deep.equal(['1', '4']);
    expect(problems).to.deep.equal([
      [2, 'The line cannot be read.'],
      [3, 'It is the third.'],
    ]);
  });

  it('tells of what is no text as of a bad line', async () => {
    const odd = (async function* () {
      yield* JSON.parse('["1", 5, {}, null, true]') as Iterable<string>;
    })();
    const problems: [number, string][] = [];
    const options = { ...quiet, onBad: (at: number, problem: string) => void problems.push([at, problem]) };
    const { taken, importOne } = storeFor(8);
    expect(await importLines(odd, options, importOne)).to.deep.equal({ added: 1, skipped: 0, bad: 4 });
    expect(taken).to.deep.equal(['1']);
    expect(problems).to.deep.equal([2, 3, 4, 5].map((at) => [at, 'The line is not text.']));
  });

  it('goes on with fewer lines at once where the store cannot take so many, and leaves none out', async () => {
    for (const most of [8, 20, 255]) {
      const { taken, calls, importOne } = storeFor(most);
      expect(await importLines(linesOf(1_000), quiet, importOne)).to.deep.equal({
        added: 1_000,
        skipped: 0,
        bad: 0,
      });
      expect(new Set(taken).size).to.equal(1_000);
      expect(taken).to.have.length(1_000);
      expect(calls()).to.be.lessThan(2_000);
    }
  });

  it('ends with the refusal of a store that takes nothing', async () => {
    const { calls, importOne } = storeFor(0);
    const refusal = await rejectionOf(() => importLines(linesOf(10_000), quiet, importOne));
    expect(refusal).to.be.instanceOf(CoreError).with.property('code', 'store_unavailable');
    expect(calls()).to.be.lessThan(1_000);
  });

  it('waits for a store that takes nothing for a while, and gives up after a minute without a line', async () => {
    for (const [answersAfter, isDone] of [
      [11, true],
      [Number.POSITIVE_INFINITY, false],
    ] as const) {
      const pauses: number[] = [];
      const pause = async (milliseconds: number) => void pauses.push(milliseconds);
      const importing = importLines(linesOf(100), { ...quiet, pause }, async () => {
        if (pauses.length < answersAfter) throw unavailable('store_unavailable', 'Away.', 5);
        return 'added';
      });
      if (isDone) expect(await importing).to.deep.equal({ added: 100, skipped: 0, bad: 0 });
      else expect(await rejectionOf(() => importing)).to.have.property('code', 'store_unavailable');
      expect(pauses).to.deep.equal(Array.from({ length: isDone ? 11 : 12 }, () => 5_000));
    }
  });

  for (const [after, returnsFor] of [
    ['a store was away', Number.POSITIVE_INFINITY],
    ['a store was away, returned for a few lines and was away again', 5],
  ] as const)
    it(`takes as many lines at once as before after ${after}`, async () => {
      let isAway = false;
      let pauses = 0;
      let takenSince = 0;
      let underWay = 0;
      const sizes: number[] = [];
      const added: string[] = [];
      const pause = async () => {
        isAway = false;
        pauses += 1;
        takenSince = 0;
        sizes.length = 0;
      };
      await importLines(linesOf(10_000), { ...quiet, pause }, async (line) => {
        if (pauses === 0 ? line === '1000' : pauses === 1 && takenSince === returnsFor) isAway = true;
        if (isAway) throw unavailable('store_unavailable', 'Away.', 5);
        takenSince += 1;
        underWay += 1;
        sizes.push(underWay);
        await Promise.resolve();
        underWay -= 1;
        added.push(line);
        return 'added';
      });
      expect(new Set(added).size).to.equal(10_000);
      expect(Math.max(...sizes)).to.equal(256);
    });

  it('takes fewer lines at once to the end where the store was only full', async () => {
    const { calls, importOne } = storeFor(100);
    await importLines(linesOf(10_000), quiet, importOne);
    // Of the first two batches, which are read one behind the other.
    expect(calls()).to.be.below(10_800);
  });

  it('names bad lines by their numbers among those that were refused at first', async () => {
    const bad: number[] = [];
    const { importOne } = storeFor(40);
    const counts = await importLines(
      linesOf(300),
      { ...quiet, onBad: (line) => bad.push(line) },
      async (line) => {
        const outcome = await importOne(line);
        if (Number(line) % 100 === 0) throw new CoreError('invalid', 'invalid_line', 'Bad.');
        return outcome;
      },
    );
    expect(counts).to.deep.equal({ added: 297, skipped: 0, bad: 3 });
    expect(bad.sort((a, b) => a - b)).to.deep.equal([100, 200, 300]);
  });
});
