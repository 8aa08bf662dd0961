import { expect } from 'chai';
import { Command } from 'commander';
import sinon from 'sinon';
import type { CommandContext } from '../../cli/context.ts';
import { storeCommand } from '../../cli/store.ts';

/** What `store migrate` says to people. */
const saidOf = async (before: number, now: number): Promise<string> => {
  const context = { store: { migrate: async () => ({ before, now }) } } as CommandContext;
  const program = new Command('gatehouse').exitOverride().addCommand(storeCommand(context));
  const output = sinon.stub(process.stderr, 'write');
  try {
    await program.parseAsync(['store', 'migrate'], { from: 'user' });
  } finally {
    output.restore();
  }
  return output.args.map(([text]) => String(text)).join('');
};

describe('store migrate', () => {
  it('says between which schemas it went', async () => {
    expect(await saidOf(8, 13)).to.equal('Upgraded the schema from 8 to 13.\n');
  });

  it('does not say that nothing was due, since indexes are made without a new schema', async () => {
    expect(await saidOf(1, 1)).to.equal('Schema and indexes are up to date (schema 1).\n');
  });
});
