import { expect } from 'chai';
import type { Account, AccountStore } from '../../../../core/index.ts';
import { createAccounts } from '../../../../core/index.ts';
import { openPorts } from '../open-core.ts';

const CLI = { actor: 'operator:cli' };

describe('Conflicting changes of founders', () => {
  it('are retried after a random delay of less than 32 ms', async () => {
    const { ports } = openPorts();
    const waits: number[] = [];
    let contested: string | undefined;
    const save: AccountStore['save'] = async (account) => {
      if (account.id !== contested) return ports.accounts.save(account);
      // Another process has written the account since it was read.
      contested = undefined;
      return false;
    };
    const { operate } = createAccounts({
      ...ports,
      accounts: { ...ports.accounts, save },
      random: { ...ports.random, bytes: (count) => new Uint8Array(count).fill(200) },
      delay: async (milliseconds) => {
        waits.push(milliseconds);
      },
    });
    const founder = async (email: string): Promise<string> => {
      const { userId } = await operate.createUser({ email, verified: true }, CLI);
      await operate.appoint(userId, 'founder', CLI);
      const account = (await ports.accounts.find(userId)) as Account;
      const counts = { wrongInRow: 0, heldUntil: null, wrongToday: null, usedRecovery: [], lastStep: 0 };
      await ports.accounts.save({ ...account, twoFactor: { secret: null, recovery: [], ...counts } });
      return userId;
    };
    const ada = await founder('ada@example.com');
    const eve = await founder('eve@example.com');
    contested = eve;
    expect(await operate.dismiss(eve, { actor: ada })).to.include({ userId: eve, changed: true });
    expect(waits).to.deep.equal([200 % 32]);
  });
});
