import { expect } from 'chai';
import { type Descriptor, makeOutput, type Output } from '../../../adapters/log/buffered-output.ts';
import { until } from '../../support/until.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code });

/** Accepts up to `most` bytes a write, and fails with the code in `broken` while that is set. */
const makeDescriptor = (most = Number.POSITIVE_INFINITY) => {
  const state: { text: string; broken: string | null; tried: number } = { text: '', broken: null, tried: 0 };
  const writeNow = (bytes: Uint8Array) => {
    state.tried += 1;
    if (state.broken !== null) throw refusal(state.broken);
    const accepted = bytes.subarray(0, most);
    state.text += Buffer.from(accepted).toString();
    return accepted.length;
  };
  const descriptor: Descriptor = { writeNow, write: async (bytes) => writeNow(bytes) };
  return { state, descriptor };
};

/** Ends the attempts of an output whose descriptor was broken to the end of a test: they would go on in the tests after it. */
const recover = async (state: ReturnType<typeof makeDescriptor>['state'], output: Output) => {
  state.broken = null;
  await output.flush();
};

const line = (text: string) => `${text.padEnd(999, '.')}\n`;
const linesOf = (text: string) => text.split('\n').slice(0, -1);

describe('The output of the log', () => {
  it('writes lines in order, even if each write accepts only a few bytes', async () => {
    const { state, descriptor } = makeDescriptor(7);
    const output = makeOutput(descriptor, () => undefined);
    for (const text of ['one\n', 'two\n', 'three and some more\n']) output.write(text);
    await output.flush();
    expect(state.text).to.equal('one\ntwo\nthree and some more\n');
  });

  it('writes buffered lines soon without a flush', async () => {
    const { state, descriptor } = makeDescriptor();
    makeOutput(descriptor, () => undefined).write('one\n');
    await until(() => state.text !== '');
    expect(state.text).to.equal('one\n');
  });

  for (const code of ['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO']) {
    it(`buffers a megabyte of lines during ${code}, and reports the number of dropped ones once`, async () => {
      const { state, descriptor } = makeDescriptor();
      const resumed: number[] = [];
      const output = makeOutput(descriptor, (dropped) => {
        resumed.push(dropped);
        output.write('resumed\n');
      });
      state.broken = code;
      for (let count = 0; count < 1_500; count += 1) output.write(line(String(count)));
      await new Promise(setImmediate);
      expect(state.tried, 'attempts during the failure').to.be.below(5);
      state.broken = null;
      await until(() => state.text.endsWith('resumed\n'));
      const written = linesOf(state.text);
      expect(resumed).to.have.lengthOf(1);
      expect(written).to.have.lengthOf(1_500 - (resumed[0] ?? 0) + 1);
      expect(written.slice(0, -1).map((text) => Number.parseInt(text, 10))).to.deep.equal(
        written.slice(0, -1).map((_, place) => place),
      );
      expect(resumed[0]).to.be.within(440, 460);
    });
  }

  it('counts each line of a dropped write of several lines', async () => {
    const { state, descriptor } = makeDescriptor();
    const resumed: number[] = [];
    const output = makeOutput(descriptor, (dropped) => resumed.push(dropped));
    state.broken = 'EAGAIN';
    for (let count = 0; count < 400; count += 1) output.write(line('one') + line('two') + line('three'));
    state.broken = null;
    await until(() => resumed.length > 0);
    expect(linesOf(state.text).length + (resumed[0] ?? 0)).to.equal(1_200);
  });

  it('resumes in the middle of a line after a full disk', async () => {
    const { state, descriptor } = makeDescriptor(5);
    const write: Descriptor['write'] = async (bytes) => {
      const accepted = descriptor.writeNow(bytes);
      state.broken = 'ENOSPC';
      return accepted;
    };
    const output = makeOutput({ ...descriptor, write }, () => undefined);
    output.write('one two three\n');
    await until(() => {
      const isCut = state.text === 'one t';
      if (state.broken !== null) state.broken = null;
      return isCut;
    });
    output.write('four\n');
    await until(() => {
      state.broken = null;
      return state.text.endsWith('four\n');
    });
    expect(state.text).to.equal('one two three\nfour\n');
  });

  it('ends a flush after a time limit if writes hang or fail', async () => {
    const never = new Promise<number>(() => undefined);
    const { descriptor, state } = makeDescriptor();
    const hanging = makeOutput({ ...descriptor, write: () => never }, () => undefined);
    const stalled = makeOutput(descriptor, () => undefined);
    state.broken = 'EAGAIN';
    for (const output of [hanging, stalled]) {
      output.write('one\n');
      const startedAt = performance.now();
      await output.flush();
      expect(performance.now() - startedAt).to.be.within(400, 10_000);
    }
    await recover(state, stalled);
    state.broken = 'ENOSPC';
    const output = makeOutput(descriptor, () => undefined);
    output.write('one\n');
    const startedAt = performance.now();
    await output.flush();
    expect(performance.now() - startedAt).to.be.below(400);
    await recover(state, output);
  });

  it('waits in a flush for a reader that recovers', async () => {
    const { state, descriptor } = makeDescriptor();
    state.broken = 'EAGAIN';
    const output = makeOutput(descriptor, () => undefined);
    output.write('one\n');
    setTimeout(() => {
      state.broken = null;
    }, 50);
    await output.flush();
    expect(state.text).to.equal('one\n');
  });

  it('removes its exit listener after a flush, even if lines were dropped', async () => {
    const before = process.listenerCount('exit');
    const { descriptor } = makeDescriptor();
    const output = makeOutput(descriptor, () => output.write('resumed\n'));
    for (let count = 0; count < 3; count += 1) {
      output.write(line('a'.repeat(1_048_577)));
      output.write('short\n');
      await output.flush();
      expect(process.listenerCount('exit')).to.equal(before);
    }
  });

  it('has one exit listener while lines are buffered, and none afterwards', async () => {
    const before = process.listenerCount('exit');
    const { descriptor } = makeDescriptor();
    const output = makeOutput(descriptor, () => undefined);
    for (let count = 0; count < 20; count += 1) {
      output.write('one\n');
      expect(process.listenerCount('exit')).to.equal(before + 1);
      await output.flush();
    }
    expect(process.listenerCount('exit')).to.equal(before);
  });
});
