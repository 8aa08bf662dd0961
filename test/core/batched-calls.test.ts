import { expect } from 'chai';
import { batched } from '../../core/batched-calls.ts';
import { rejectionOf } from '../contracts/rejection.ts';

describe('A batch of calls', () => {
  it("contains calls of one turn or of the last batch's run, in order and up to a limit", async () => {
    const batches: (readonly number[])[] = [];
    const add = batched(async (items: readonly number[]) => {
      batches.push(items);
      await Promise.resolve();
      return items.map((item) => 10 * item);
    }, 3);
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(add))).to.deep.equal([10, 20, 30, 40, 50, 60]);
    expect(await add(7)).to.equal(70);
    expect(batches).to.deep.equal([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('fails as a whole, and does not affect later calls', async () => {
    const add = batched(async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('No twos.');
      return items;
    }, 10);
    const [second, third] = [add(2), add(3)];
    expect(await rejectionOf(() => second)).to.include({ message: 'No twos.' });
    expect(await rejectionOf(() => third)).to.include({ message: 'No twos.' });
    await add(4);
  });
});
