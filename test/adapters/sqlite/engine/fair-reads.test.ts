import { expect } from 'chai';
import sinon, { type SinonFakeTimers } from 'sinon';
import type { Queries } from '../../../../adapters/sql/database.ts';
import { makeFairReads } from '../../../../adapters/sqlite/engine/fair-reads.ts';

describe('Reads that block their thread', () => {
  let timers: SinonFakeTimers;
  /** The queries that were answered, and a line for each turn of the event loop. */
  let events: string[];
  let counting: NodeJS.Immediate;

  beforeEach(() => {
    timers = sinon.useFakeTimers({ toFake: ['performance'] });
    events = [];
    const countTurn = () => {
      events.push('turn');
      counting = setImmediate(countTurn);
    };
    counting = setImmediate(countTurn);
  });

  afterEach(() => {
    clearImmediate(counting);
    timers.restore();
  });

  /** Each read takes so many milliseconds. */
  const readsOf = (milliseconds: number): Queries => {
    const read = (sql: string) => {
      timers.tick(milliseconds);
      events.push(sql);
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

  /** The number of reads in each turn with reads. */
  const readsInTurns = (): readonly number[] =>
    events
      .join()
      .split('turn')
      .map((turn) => turn.split(',').filter((sql) => sql !== '').length)
      .filter((count) => count > 0);

  for (const kind of ['get', 'all'] as const) {
    it(`end the turn of the event loop after each long read: ${kind}`, async () => {
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

  it('fill at most 4 ms of a turn if many reads wait', async () => {
    const reads = readsOf(0.4);
    await Promise.all(Array.from({ length: 30 }, () => reads.get('SELECT 1', [])));
    expect(readsInTurns()).to.deep.equal([10, 10, 10]);
  });

  it('end the turn after a read of 0.6 ms, such as a page of a search', async () => {
    const reads = readsOf(0.6);
    for (let count = 0; count < 3; count += 1) await reads.all('page', []);
    expect(readsInTurns()).to.deep.equal([1, 1, 1]);
  });

  it('are served in the order of their calls, so that a search does not delay single reads', async () => {
    const reads = readsOf(5);
    const search = async () => {
      for (const page of [1, 2, 3]) await reads.all(`page ${page}`, []);
    };
    await Promise.all([search(), reads.get('one', [])]);
    expect(events.filter((line) => line !== 'turn')).to.deep.equal(['page 1', 'one', 'page 2', 'page 3']);
  });
});
