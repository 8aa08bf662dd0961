import { expect } from 'chai';
import type { CommandContext } from '../../cli/context.ts';
import { retireMaster } from '../../cli/master-keys.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { password } from '../core/accounts/admin/open-admin-accounts.ts';
import { useOwner } from '../core/accounts/email-change/open-owner.ts';
import { caller } from '../core/accounts/open-core.ts';

describe('keys retire with a master key that a second factor needs', () => {
  const owner = useOwner();

  it('is refused while an account that waits for its deletion has the second factor', async () => {
    const { accounts, change, operate, ports, turnOnFactor, principal } = await owner();
    const app = await turnOnFactor();
    await change();
    await accounts.deleteAccount(await principal(), { password, verificationCode: app.fresh() }, caller);

    const retiredKeys: string[] = [];
    const product = {
      accounts: { operate },
      files: { operate: { countByKey: async () => new Map(), outdateCache: async () => undefined } },
    };
    const context = {
      by: () => ({ actor: 'operator:cli' }),
      keys: { retireMaster: async (id: string) => void retiredKeys.push(id) },
      withChanges: (job: (opened: never) => Promise<unknown>) => job(product as never),
    } as unknown as CommandContext;
    const retire = async () => retireMaster(context, await ports.kms.current(), { yes: true });
    expect(String(await rejectionOf(retire))).to.include('1 values are still encrypted with this key');
    expect(retiredKeys).to.deep.equal([]);
  });
});
