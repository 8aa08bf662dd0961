import { expect } from 'chai';
import { providerIdentity } from '../../../support/scripted-providers.ts';
import { openProviderFlow } from '../providers/provider-flow.ts';
import { by } from './open-admin-accounts.ts';

const reason = 'not hers';

describe('Unlinking of an identity by an operator', () => {
  it('removes even the last sign-in method, frees its login key, and notifies the user by mail', async () => {
    const { accountAt, mailsTo, operate, settle, signIn } = await openProviderFlow();
    const claims = providerIdentity({ subject: 'lost', email: 'ada@example.com' });
    const first = await signIn(claims);
    const { oauthAccounts } = await operate.showUser('ada@example.com');
    expect(oauthAccounts.map(({ providerAccountId, bound }) => [providerAccountId, bound])).to.deep.equal([
      ['lost', true],
    ]);
    const name = { provider: 'example', providerAccountId: 'lost' };
    const result = await operate.unlinkIdentity('ada@example.com', name, { ...by(), reason });
    expect(result.changed).to.equal(true);
    expect(await accountAt('ada@example.com')).to.deep.include({ oauthAccounts: [], loginKeys: [] });
    expect((await mailsTo('ada@example.com')).at(-1)?.subject).to.include('was disconnected');
    await settle();
    const second = await signIn({ ...claims, email: 'other@example.com' });
    expect('user' in second && 'user' in first && second.user.id !== first.user.id).to.equal(true);
  });
});
