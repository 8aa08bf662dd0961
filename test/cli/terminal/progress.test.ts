import { Writable } from 'node:stream';
import { expect } from 'chai';
import sinon from 'sinon';
import { makeProgress } from '../../../cli/terminal/progress.ts';

const makeStream = (isTTY: boolean) => {
  let written = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written += chunk;
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream,
    written: () => written,
  };
};

describe('A progress display', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    clock.tick(1_000);
  });
  afterEach(() => clock.restore());

  it('is drawn on a terminal at most every 100 ms, and cleared', () => {
    const { stream, written } = makeStream(true);
    const progress = makeProgress(stream);
    progress.show(0.5, 'halfway');
    expect(written()).to.match(/█+░+ 50 % halfway/);
    clock.tick(99);
    progress.show(0.6, 'too soon after');
    expect(written()).not.to.include('60');
    clock.tick(1);
    progress.show(0.7, 'later');
    expect(written()).to.match(/█+░+ 70 % later/);
    progress.clear();
    expect(written().endsWith('\r\u001b[K')).to.equal(true);
  });

  it('has no bar if the total is unknown', () => {
    const { stream, written } = makeStream(true);
    makeProgress(stream).show(null, '7 done');
    expect(written()).to.equal('\r7 done\u001b[K');
  });

  it('stays on its line on a narrow terminal', () => {
    const { stream, written } = makeStream(true);
    makeProgress(Object.assign(stream, { columns: 40 })).show(0.5, '1000 added, 0 existed already');
    expect(written()).to.equal(`\r${'█'.repeat(12)}${'░'.repeat(12)} 50 % 1000 adde\u001b[K`);
  });

  it('writes nothing without a terminal', () => {
    const { stream, written } = makeStream(false);
    const progress = makeProgress(stream);
    progress.show(0.5, 'halfway');
    progress.clear();
    expect(written()).to.equal('');
  });
});
