import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { byMail, caller, openPorts, tokensIn } from '../open-core.ts';

type SelfEntitlement = 'trust' | 'ignore' | 'reject';

describe('Lists and counts after SELF_ENTITLEMENT was changed', () => {
  let context: ReturnType<typeof openPorts>;
  beforeEach(() => {
    context = openPorts();
  });

  /** The accounts as a process with this setting has them. */
  const under = (selfEntitlement: SelfEntitlement) => createAccounts(context.ports, { selfEntitlement });

  /** A user who claims a tier, while claims are trusted; none for null. */
  const signUp = async (name: string, tier: string | null) => {
    const accounts = under('trust');
    const { user, token } = tokensIn(await byMail(accounts, context.mails).verify(`${name}@example.com`));
    const who = await accounts.authenticate(token);
    if (tier !== null) await accounts.setOwnEntitlement(who, { service: 'DROP', tier }, false, caller);
    return user.id;
  };
  const recount = async (self: SelfEntitlement) => {
    const { recountAccess } = under(self).background;
    let count = 0;
    for (let done = await recountAccess(3); done > 0; done = await recountAccess(3)) count += done;
    return count;
  };
  const byTier = async () => (await under('ignore').operate.stats()).byTier;

  it('follow in both directions, in pages, and only those with claims are written', async () => {
    const none = await signUp('none', null);
    for (let number = 0; number < 7; number += 1) await signUp(`pro${number}`, 'pro');
    const before = await context.ports.accounts.find(none);
    expect(await byTier()).to.deep.equal({ free: 1, pro: 7 });
    expect(await recount('trust')).to.equal(0);
    for (const self of ['ignore', 'reject'] as const) {
      expect(await recount(self)).to.equal(self === 'ignore' ? 7 : 0);
      expect(await byTier()).to.deep.equal({ free: 8 });
    }
    expect(await recount('trust')).to.equal(7);
    expect(await byTier()).to.deep.equal({ free: 1, pro: 7 });
    expect(await context.ports.accounts.find(none)).to.deep.equal(before);
  });

  it('leave what an operator granted, and no trace but the access', async () => {
    const id = await signUp('ada', 'pro');
    await under('trust').operate.setTier(id, { tier: 'enterprise' }, { actor: 'operator:cli' });
    await under('trust').background.relay();
    const before = await context.ports.accounts.find(id);
    expect(await recount('ignore')).to.equal(1);
    expect(await context.ports.accounts.find(id)).to.deep.equal({
      ...before,
      claimsCounted: false,
      version: (before?.version ?? 0) + 1,
    });
    await under('ignore').operate.clearTier(id, { actor: 'operator:cli' });
    expect(await byTier()).to.deep.equal({ free: 1 });
  });

  it('pass over an account that is deleted', async () => {
    const id = await signUp('ada', 'pro');
    await under('trust').operate.deleteUser(id, { actor: 'operator:cli' });
    expect(await recount('ignore')).to.equal(0);
  });
});
