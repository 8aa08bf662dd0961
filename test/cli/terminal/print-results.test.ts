import { once } from 'node:events';
import { setImmediate as later } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { makeOutput, say } from '../../../cli/terminal/print-results.ts';
import { collect, onTerminal } from '../run-line.ts';

const columns = [['ID', ({ id }: { readonly id: string }) => id]] as const;

describe('The output of a command', () => {
  it('is a list below one head, of any length and in the given order', async () => {
    for (const length of [0, 1, 100, 250]) {
      const rows = Array.from({ length }, (_, number) => ({ id: `m${number}` }));
      const { stdout } = await collect(() => makeOutput(false).list(rows, columns));
      expect(stdout).to.equal(['ID', ...rows.map(({ id }) => id), ''].join('\n'));
    }
  });

  it('waits for a slow reader', async () => {
    for (const json of [false, true]) {
      const ready = once(process.stdout, 'drain').then(() => undefined);
      const write = sinon.stub(process.stdout, 'write').onFirstCall().returns(false).returns(true);
      try {
        const printed = makeOutput(json).list([{ id: 'm1' }, { id: 'm2' }], columns);
        while (write.callCount === 0) await later();
        await later();
        expect(write.callCount).to.equal(1);
        process.stdout.emit('drain');
        await Promise.all([printed, ready]);
        expect(write.callCount).to.equal(json ? 2 : 3);
      } finally {
        write.restore();
      }
    }
  });

  it('is folded to the width of a terminal, and not without a terminal or its width', async () => {
    const wide = [...columns, ['NAME', () => 'x'.repeat(20)]] as const;
    const print = () => collect(() => makeOutput(false).list([{ id: 'm1' }], wide));
    expect((await onTerminal(process.stdout, 12, print)).stdout).to.equal(
      'ID\n  NAME\nm1\n  xxxxxxxxxx\n  xxxxxxxxxx\n',
    );
    const unfolded = `ID  NAME\nm1  ${'x'.repeat(20)}\n`;
    expect((await print()).stdout).to.equal(unfolded);
    // A serial console does not know its width.
    expect((await onTerminal(process.stdout, 0, print)).stdout).to.equal(unfolded);
  });

  it('has no control characters in messages, names and values', async () => {
    const { stdout, stderr } = await collect(async () => {
      say('One\u001b[31m\nTwo');
      makeOutput(false).record({ name: '\u202e', list: ['a\u0007', 'b'], mixed: ['a', 1], none: {} });
      makeOutput(false).record({});
    });
    expect(stderr).to.equal('One\ufffd[31m\nTwo\n');
    expect(stdout).to.equal('name   \ufffd\nlist   a\ufffd, b\nmixed  ["a",1]\nnone   {}\n');
  });
});
