import { expect } from 'chai';
import { CoreError, invalid, unavailable } from '../../core/errors.ts';
import { importLines, makeLineReader } from '../../core/import-lines.ts';
import { rejectionOf } from '../contracts/rejection.ts';

const linesOf = async function* (count: number) {
  for (let number = 1; number <= count; number += 1) yield String(number);
};

/** A store that accepts at most `most` concurrent lines, refuses further ones, and records the accepted lines. */
const storeFor = (most: number) => {
  const accepted: string[] = [];
  let running = 0;
  let calls = 0;
  return {
    accepted,
    calls: () => calls,
    importOne: async (line: string): Promise<'added' | 'skipped'> => {
      calls += 1;
      running += 1;
      try {
        const isFull = running > most;
        await Promise.resolve();
        if (isFull) throw unavailable('store_unavailable', 'Too many.');
        accepted.push(line);
        return 'added';
      } finally {
        running -= 1;
      }
    },
  };
};

describe('An import of lines', () => {
  const quiet = { onBad: () => undefined, onProgress: () => undefined };

  it('reports a line as bad for any error of its parser, and imports the others', async () => {
    const read = makeLineReader((line: string): string => {
      if (line === '2') throw new RangeError('Maximum call stack size exceeded');
      if (line === '3') throw invalid('invalid_line', 'It is the third.');
      return line;
    });
    const problems: [number, string][] = [];
    const options = { ...quiet, onBad: (at: number, problem: string) => void problems.push([at, problem]) };
    const { accepted, importOne } = storeFor(8);
    const counts = await importLines(linesOf(4), options, async (line) => importOne(read(line)));
    expect(counts).to.deep.equal({ added: 2, skipped: 0, bad: 2 });
    expect(accepted).to.deep.equal(['1', '4']);
    expect(problems).to.deep.equal([
      [2, 'The line cannot be read.'],
      [3, 'It is the third.'],
    ]);
  });

  it('reports values that are not text as bad lines', async () => {
    const values = (async function* () {
      yield* JSON.parse('["1", 5, {}, null, true]') as Iterable<string>;
    })();
    const problems: [number, string][] = [];
    const options = { ...quiet, onBad: (at: number, problem: string) => void problems.push([at, problem]) };
    const { accepted, importOne } = storeFor(8);
    expect(await importLines(values, options, importOne)).to.deep.equal({ added: 1, skipped: 0, bad: 4 });
    expect(accepted).to.deep.equal(['1']);
    expect(problems).to.deep.equal([2, 3, 4, 5].map((at) => [at, 'The line is not text.']));
  });

  it('continues with fewer concurrent lines if the store is overloaded, and skips none', async () => {
    for (const most of [8, 20, 255]) {
      const { accepted, calls, importOne } = storeFor(most);
      expect(await importLines(linesOf(1_000), quiet, importOne)).to.deep.equal({
        added: 1_000,
        skipped: 0,
        bad: 0,
      });
      expect(new Set(accepted).size).to.equal(1_000);
      expect(accepted).to.have.length(1_000);
      expect(calls()).to.be.lessThan(2_000);
    }
  });

  it('fails with the error of a store that accepts no line', async () => {
    const { calls, importOne } = storeFor(0);
    const refusal = await rejectionOf(() => importLines(linesOf(10_000), quiet, importOne));
    expect(refusal).to.be.instanceOf(CoreError).with.property('code', 'store_unavailable');
    expect(calls()).to.be.lessThan(1_000);
  });

  it('waits for a store that is down, and fails after a minute without an accepted line', async () => {
    for (const [answersAfter, isDone] of [
      [11, true],
      [Number.POSITIVE_INFINITY, false],
    ] as const) {
      const pauses: number[] = [];
      const pause = async (milliseconds: number) => void pauses.push(milliseconds);
      const pendingImport = importLines(linesOf(100), { ...quiet, pause }, async () => {
        if (pauses.length < answersAfter) throw unavailable('store_unavailable', 'Away.', 5);
        return 'added';
      });
      if (isDone) expect(await pendingImport).to.deep.equal({ added: 100, skipped: 0, bad: 0 });
      else expect(await rejectionOf(() => pendingImport)).to.have.property('code', 'store_unavailable');
      expect(pauses).to.deep.equal(Array.from({ length: isDone ? 11 : 12 }, () => 5_000));
    }
  });

  for (const [outage, returnsFor] of [
    ['an outage', Number.POSITIVE_INFINITY],
    ['two outages with a few lines in between', 5],
  ] as const)
    it(`imports as many lines at once after ${outage} as before`, async () => {
      let isDown = false;
      let pauses = 0;
      let acceptedSince = 0;
      let running = 0;
      const sizes: number[] = [];
      const added: string[] = [];
      const pause = async () => {
        isDown = false;
        pauses += 1;
        acceptedSince = 0;
        sizes.length = 0;
      };
      await importLines(linesOf(10_000), { ...quiet, pause }, async (line) => {
        if (pauses === 0 ? line === '1000' : pauses === 1 && acceptedSince === returnsFor) isDown = true;
        if (isDown) throw unavailable('store_unavailable', 'Away.', 5);
        acceptedSince += 1;
        running += 1;
        sizes.push(running);
        await Promise.resolve();
        running -= 1;
        added.push(line);
        return 'added';
      });
      expect(new Set(added).size).to.equal(10_000);
      expect(Math.max(...sizes)).to.equal(256);
    });

  it('imports fewer lines at once to the end if the store was only overloaded', async () => {
    const { calls, importOne } = storeFor(100);
    await importLines(linesOf(10_000), quiet, importOne);
    // The refused calls belong to the first two batches, which are read one after another.
    expect(calls()).to.be.below(10_800);
  });

  it('numbers bad lines correctly, even if they were refused at first', async () => {
    const badLines: number[] = [];
    const { importOne } = storeFor(40);
    const counts = await importLines(
      linesOf(300),
      { ...quiet, onBad: (line) => badLines.push(line) },
      async (line) => {
        const outcome = await importOne(line);
        if (Number(line) % 100 === 0) throw new CoreError('invalid', 'invalid_line', 'Bad.');
        return outcome;
      },
    );
    expect(counts).to.deep.equal({ added: 297, skipped: 0, bad: 3 });
    expect(badLines.sort((a, b) => a - b)).to.deep.equal([100, 200, 300]);
  });
});
