import { expect } from 'chai';
import { Command } from 'commander';
import sinon from 'sinon';
import type { CommandContext } from '../../cli/context.ts';
import { tierCommand } from '../../cli/tier.ts';

/** What the product is asked to set by such a line. */
const setBy = async (...line: readonly string[]): Promise<unknown> => {
  const inputs: unknown[] = [];
  const setTier = async (_user: string, input: unknown) => {
    inputs.push(input);
    return { email: 'ada@example.com', changed: true, entitlement: { tier: 'pro' } };
  };
  const context: Pick<CommandContext, 'withChanges' | 'by'> = {
    by: () => ({ actor: 'operator:cli' }),
    withChanges: async (job) => job({ accounts: { operate: { setTier } } } as never),
  };
  const program = new Command('gatehouse').exitOverride().addCommand(tierCommand(context as CommandContext));
  const output = sinon.stub(process.stderr, 'write');
  try {
    await program.parseAsync(['tier', 'set', 'ada@example.com', 'pro', ...line], { from: 'user' });
  } finally {
    output.restore();
  }
  return inputs[0];
};

describe('A tier set at the command line', () => {
  it('takes a limit away with none', async () => {
    expect(await setBy('--storage', 'none', '--api-keys', 'none')).to.deep.equal({
      tier: 'pro',
      customStorageLimit: null,
      customApiKeyLimit: null,
    });
  });

  it('sets the limits that are given, and leaves the others', async () => {
    expect(await setBy('--storage', '1TB')).to.deep.equal({ tier: 'pro', customStorageLimit: 1e12 });
    expect(await setBy('--api-keys', '0')).to.deep.equal({ tier: 'pro', customApiKeyLimit: 0 });
    expect(await setBy()).to.deep.equal({ tier: 'pro' });
  });
});
