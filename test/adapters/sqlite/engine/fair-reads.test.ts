import { expect } from 'chai';
import sinon, { type SinonFakeTimers } from 'sinon';
import type { Queries } from '../../../../adapters/sql/database.ts';
import { makeFairReads } from '../../../../adapters/sqlite/engine/fair-reads.ts';

describe('Reads that block their thread', () => {
  let time: SinonFakeTimers;
  /** The queries that were answered, and a line for each turn of the event loop. */
  let happened: string[];
  let counting: NodeJS.Immediate;

  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['performance'] });
    happened = [];
    const countTurn = () => {
      happened.push('turn');
      counting = setImmediate(countTurn);
    };
    counting = setImmediate(countTurn);
  });

  afterEach(() => {
    clearImmediate(counting);
    time.restore();
  });

  /** Each read takes so many milliseconds. */
  const readsOf = (milliseconds: number): Queries => {
    const read = (sql: string) => {
      time.tick(milliseconds);
      happened.push(sql);
    };
    return makeFairReads({
      get: (sql) => {
        read(sql);
        return undefined;
      },
      all: (sql) => {
        read(sql);
        return [];
      },
    });
  };

  /** How many reads there were in each turn that had any. */
  const readsInTurns = (): readonly number[] =>
    happened
      .join()
      .split('turn')
      .map((turn) => turn.split(',').filter((sql) => sql !== '').length)
      .filter((count) => count > 0);

  for (const kind of ['get', 'all'] as const) {
    it(`let the event loop go on after each that takes long: ${kind}`, async () => {
      const reads = readsOf(10);
      for (let count = 0; count < 5; count += 1) await reads[kind]('SELECT 1', []);
      expect(readsInTurns()).to.deep.equal([1, 1, 1, 1, 1]);
    });
  }

  it('share a turn while they are short', async () => {
    const reads = readsOf(0.001);
    for (let count = 0; count < 1_000; count += 1) await reads.get('SELECT 1', []);
    expect(readsInTurns()).to.deep.equal([1_000]);
  });

  it('fill no turn for longer when many are asked for at once', async () => {
    const reads = readsOf(0.4);
    await Promise.all(Array.from({ length: 30 }, () => reads.get('SELECT 1', [])));
    expect(readsInTurns()).to.deep.equal([10, 10, 10]);
  });

  it('end their turn where one of them was a page of a search', async () => {
    const reads = readsOf(0.6);
    for (let count = 0; count < 3; count += 1) await reads.all('page', []);
    expect(readsInTurns()).to.deep.equal([1, 1, 1]);
  });

  it('are answered in their order, a long search no sooner than one read', async () => {
    const reads = readsOf(5);
    const search = async () => {
      for (const page of [1, 2, 3]) await reads.all(`page ${page}`, []);
    };
    await Promise.all([search(), reads.get('one', [])]);
    expect(happened.filter((line) => line !== 'turn')).to.deep.equal(['page 1', 'one', 'page 2', 'page 3']);
  });
});
