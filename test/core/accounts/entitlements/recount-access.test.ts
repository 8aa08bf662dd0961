import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { caller, makeMailbox, openPorts, tokensIn } from '../open-core.ts';

type SelfEntitlement = 'trust' | 'ignore' | 'reject';

describe('The recount of access after a change of SELF_ENTITLEMENT', () => {
  let context: ReturnType<typeof openPorts>;
  beforeEach(() => {
    context = openPorts();
  });

  /** The accounts of a process with this setting. */
  const under = (selfEntitlement: SelfEntitlement) => createAccounts(context.ports, { selfEntitlement });

  /** Signs up a user who claims this tier, if not null, while claims are trusted. */
  const signUp = async (name: string, tier: string | null) => {
    const accounts = under('trust');
    const { user, token } = tokensIn(
      await makeMailbox(accounts, context.mails).verify(`${name}@example.com`),
    );
    const principal = await accounts.authenticate(token);
    if (tier !== null) await accounts.setOwnEntitlement(principal, { service: 'DROP', tier }, false, caller);
    return user.id;
  };
  const recount = async (self: SelfEntitlement) => {
    const { recountAccess } = under(self).background;
    let count = 0;
    for (let size = await recountAccess(3); size > 0; size = await recountAccess(3)) count += size;
    return count;
  };
  const byTier = async () => (await under('ignore').operate.stats()).byTier;

  it('updates the counts in both directions, and writes only accounts with claims', async () => {
    const idWithoutClaim = await signUp('none', null);
    for (let number = 0; number < 7; number += 1) await signUp(`pro${number}`, 'pro');
    const before = await context.ports.accounts.find(idWithoutClaim);
    expect(await byTier()).to.deep.equal({ free: 1, pro: 7 });
    expect(await recount('trust')).to.equal(0);
    for (const self of ['ignore', 'reject'] as const) {
      expect(await recount(self)).to.equal(self === 'ignore' ? 7 : 0);
      expect(await byTier()).to.deep.equal({ free: 8 });
    }
    expect(await recount('trust')).to.equal(7);
    expect(await byTier()).to.deep.equal({ free: 1, pro: 7 });
    expect(await context.ports.accounts.find(idWithoutClaim)).to.deep.equal(before);
  });

  it('keeps an operator’s grant, and changes nothing but the counted access', async () => {
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

  it('skips a deleted account', async () => {
    const id = await signUp('ada', 'pro');
    await under('trust').operate.deleteUser(id, { actor: 'operator:cli' });
    expect(await recount('ignore')).to.equal(0);
  });
});
