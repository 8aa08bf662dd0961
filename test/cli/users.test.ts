import { expect } from 'chai';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/context.ts';
import { usersCommand } from '../../cli/users.ts';

const entitlement = { service: 'DROP', tier: 'pro', connected: false };
const limits = { customStorageLimit: 1e12, customApiKeyLimit: null };
const none = { banned: null, disabled: null, billing: null, customDomain: null };
const operate = {
  createUser: async ({ email }: { readonly email: string }) => ({ userId: 'id', email, changed: true }),
  showUser: async () => ({
    ...none,
    entitlements: [{ ...entitlement, ...limits }],
    oauthAccounts: [],
    formerDomains: [],
  }),
};
const context: Pick<CommandContext, 'withChanges' | 'by' | 'withReadOnly'> = {
  by: () => ({ actor: 'operator:cli' }),
  withChanges: async (job) => job({ accounts: { operate } } as never),
  withReadOnly: async (job) => job({ accounts: { operate } } as never),
};

/** What such a line writes, to whichever stream. */
const saidBy = async (...line: readonly string[]): Promise<string> => {
  const program = new Command('gatehouse').exitOverride().addCommand(usersCommand(context as CommandContext));
  const messages: string[] = [];
  const streams = [process.stdout, process.stderr];
  const writes = streams.map(({ write }) => write);
  for (const stream of streams) stream.write = (text) => messages.push(String(text)) > 0;
  try {
    await program.parseAsync(['users', ...line], { from: 'user' });
  } finally {
    for (const [place, stream] of streams.entries()) stream.write = writes[place] ?? stream.write;
  }
  return messages.join('');
};

describe('The users commands, to people', () => {
  it('say which code an account that they made is mailed', async () => {
    const create = (...options: readonly string[]) => saidBy('create', 'ada@example.com', ...options);
    expect(await create()).to.include('for ada@example.com. A code to verify the email is mailed.');
    expect(await create('--verified')).to.include('Nothing is mailed.');
    expect(await create('--verified', '--send-reset')).to.include('A code to set a password is mailed.');
  });

  it('show the limits that are the user’s own', async () => {
    expect(await saidBy('show', 'ada@example.com')).to.match(
      /^entitlements +DROP pro, storage 1000000000000$/m,
    );
  });
});
