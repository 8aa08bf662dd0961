import { expect } from 'chai';
import { countByState, type PartCount } from '../../core/outbox.ts';

describe('The counts of an outbox', () => {
  const part = (count: number, oldestAt: number, lastId: string, state: PartCount['state'] = 'waiting') => ({
    ...{ group: '', state, count, oldestAt, lastId },
  });

  it('add up all pages up to the first page that is not full', async () => {
    const parts = new Map([
      ['', [part(1, 30, 'a'), part(2, 40, 'c', 'dead')]],
      ['c', [part(3, 20, 'f')]],
      ['f', [part(1, 50, 'g'), part(1, 10, 'h', 'dead')]],
    ]);
    const counts = await countByState(3, async (after, size) => {
      expect(size).to.equal(3);
      return parts.get(after) ?? expect.fail(`Nothing is after ${after}.`);
    });
    expect(counts).to.have.deep.members([
      { group: '', state: 'waiting', count: 5, oldestAt: 20 },
      { group: '', state: 'dead', count: 3, oldestAt: 10 },
    ]);
    expect(await countByState(3, async (after) => (after === '' ? [part(3, 1, 'c')] : []))).to.deep.equal([
      { group: '', state: 'waiting', count: 3, oldestAt: 1 },
    ]);
  });
});
