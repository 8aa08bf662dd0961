import { expect } from 'chai';
import { makeSingleFlight } from '../../../core/files/read-file.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

/** Loads that end when they are told to. */
const makeLoads = () => {
  const begun: { readonly key: string; end(value: number): void; fail(error: Error): void }[] = [];
  const load = (key: string) =>
    new Promise<number>((end, fail) => {
      begun.push({ key, end, fail });
    });
  return { begun, load };
};

const turn = () => new Promise(setImmediate);

describe('A single flight', () => {
  it('lets one run and one wait, however many call, and shares what each gives', async () => {
    const { begun, load } = makeLoads();
    const call = makeSingleFlight(load);
    const calls = Array.from({ length: 50 }, () => call('a'));
    await turn();
    expect(begun).to.have.length(1);
    begun[0]?.end(1);
    await turn();
    expect(begun).to.have.length(2);
    begun[1]?.end(2);
    expect(await Promise.all(calls)).to.deep.equal([1, ...Array.from({ length: 49 }, () => 2)]);
    await turn();
    expect(begun).to.have.length(2);
  });

  it('never gives a call what was loaded before it: it joins only a run that has not begun', async () => {
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

  it('begins anew for a call during the run that had waited', async () => {
    const { begun, load } = makeLoads();
    const call = makeSingleFlight(load);
    const [one, two] = [call('a'), call('a')];
    begun[0]?.end(1);
    await turn();
    const three = call('a');
    expect(begun).to.have.length(2);
    begun[1]?.end(2);
    await turn();
    begun[2]?.end(3);
    expect(await Promise.all([one, two, three])).to.deep.equal([1, 2, 3]);
  });

  it('keeps keys apart', async () => {
    const { begun, load } = makeLoads();
    const call = makeSingleFlight(load);
    const [one, two] = [call('a'), call('b')];
    expect(begun.map(({ key }) => key)).to.deep.equal(['a', 'b']);
    begun[1]?.end(2);
    expect(await two).to.equal(2);
    begun[0]?.end(1);
    expect(await one).to.equal(1);
  });

  it('lets a failure concern its own run alone', async () => {
    const { begun, load } = makeLoads();
    const call = makeSingleFlight(load);
    const [one, two] = [call('a'), call('a')];
    begun[0]?.fail(new Error('first'));
    expect(await rejectionOf(() => one)).to.include({ message: 'first' });
    await turn();
    begun[1]?.end(2);
    expect(await two).to.equal(2);
    const [three, four] = [call('a'), call('a')];
    begun[2]?.end(3);
    await turn();
    begun[3]?.fail(new Error('fourth'));
    expect(await three).to.equal(3);
    expect(await rejectionOf(() => four)).to.include({ message: 'fourth' });
  });

  it('runs one after the other for a key, whatever comes when', async () => {
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
