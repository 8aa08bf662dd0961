import { expect } from 'chai';
import type { CommandContext } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { collect, OPERATOR } from './run-line.ts';

describe('store backup', () => {
  it('reports the backup even if the audit log cannot be written, and fails after it', async () => {
    const leftOut = { keyFiles: ['keys.json'], secretSettings: [], mail: null, bucket: null, sandbox: null };
    const context = {
      by: () => OPERATOR,
      lowerPriority: () => undefined,
      withChanges: async () => {
        throw new Error('The store is temporarily unavailable; try again.');
      },
      store: { backup: async () => ({ file: 'all.tar', bytes: 5, objects: 0, isOlder: false, leftOut }) },
    };
    const program = makeProgram(context as unknown as CommandContext);
    const { stderr } = await collect(async () => {
      const failure = await rejectionOf(() =>
        program.parseAsync(['store', 'backup', 'all.tar'], { from: 'user' }),
      );
      expect(failure).to.have.property('message').that.includes('temporarily unavailable');
    });
    expect(stderr.split('\n')).to.deep.equal([
      'Wrote all.tar: 5 bytes, 0 avatars.',
      'Not in the backup, keep it safe elsewhere: keys.json',
      'The backup is complete, but it could not be recorded in the audit log:',
      '',
    ]);
  });
});
