import { expect } from 'chai';
import { makeSingleFlight } from '../../../core/files/read-file.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

/** Loads that the test ends one by one. */
const makeLoads = () => {
  const loads: { readonly key: string; end(value: number): void; fail(error: Error): void }[] = [];
  const load = (key: string) =>
    new Promise<number>((end, fail) => {
      loads.push({ key, end, fail });
    });
  return { loads, load };
};

const turn = () => new Promise(setImmediate);

describe('A single flight', () => {
  it('runs one load and queues one for any number of calls, and shares their results', async () => {
    const { loads, load } = makeLoads();
    const call = makeSingleFlight(load);
    const calls = Array.from({ length: 50 }, () => call('a'));
    await turn();
    expect(loads).to.have.length(1);
    loads[0]?.end(1);
    await turn();
    expect(loads).to.have.length(2);
    loads[1]?.end(2);
    expect(await Promise.all(calls)).to.deep.equal([1, ...Array.from({ length: 49 }, () => 2)]);
    await turn();
    expect(loads).to.have.length(2);
  });

  it('never returns a value loaded before the call: it joins only a load that has not started', async () => {
    let value = 'old';
    const gates: (() => void)[] = [];
    const call = makeSingleFlight(async () => {
      const valueBefore = value;
      await new Promise<void>((open) => gates.push(open));
      return valueBefore;
    });
    const before = call('a');
    value = 'new';
    const after = [call('a'), call('a')];
    gates.shift()?.();
    await turn();
    gates.shift()?.();
    expect(await before).to.equal('old');
    expect(await Promise.all(after)).to.deep.equal(['new', 'new']);
  });

  it('starts a new load for a call during the load that was queued', async () => {
    const { loads, load } = makeLoads();
    const call = makeSingleFlight(load);
    const [first, second] = [call('a'), call('a')];
    loads[0]?.end(1);
    await turn();
    const third = call('a');
    expect(loads).to.have.length(2);
    loads[1]?.end(2);
    await turn();
    loads[2]?.end(3);
    expect(await Promise.all([first, second, third])).to.deep.equal([1, 2, 3]);
  });

  it('runs loads of different keys separately', async () => {
    const { loads, load } = makeLoads();
    const call = makeSingleFlight(load);
    const [first, second] = [call('a'), call('b')];
    expect(loads.map(({ key }) => key)).to.deep.equal(['a', 'b']);
    loads[1]?.end(2);
    expect(await second).to.equal(2);
    loads[0]?.end(1);
    expect(await first).to.equal(1);
  });

  it('rejects only the calls that share a failed load', async () => {
    const { loads, load } = makeLoads();
    const call = makeSingleFlight(load);
    const [first, second] = [call('a'), call('a')];
    loads[0]?.fail(new Error('first'));
    expect(await rejectionOf(() => first)).to.include({ message: 'first' });
    await turn();
    loads[1]?.end(2);
    expect(await second).to.equal(2);
    const [third, fourth] = [call('a'), call('a')];
    loads[2]?.end(3);
    await turn();
    loads[3]?.fail(new Error('fourth'));
    expect(await third).to.equal(3);
    expect(await rejectionOf(() => fourth)).to.include({ message: 'fourth' });
  });

  it('runs the loads of a key one after another, at any timing of calls', async () => {
    let running = 0;
    const call = makeSingleFlight(async (key: string) => {
      running += 1;
      expect(running).to.equal(1);
      for (let turns = 0; turns < 3; turns += 1) await Promise.resolve();
      running -= 1;
      return key;
    });
    const calls: Promise<string>[] = [];
    for (let number = 0; number < 500; number += 1) {
      calls.push(call('a'));
      if (number % 3 === 0) await Promise.resolve();
      if (number % 50 === 0) await turn();
    }
    expect(new Set(await Promise.all(calls))).to.deep.equal(new Set(['a']));
  });
});
