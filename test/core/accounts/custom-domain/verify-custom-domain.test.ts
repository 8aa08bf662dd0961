import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { type AccountsContext, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const DAY = 86_400_000;

describe('A custom domain', () => {
  const core = useAccounts();
  type User = Awaited<ReturnType<AccountsContext['signUp']>>;
  let ada: User;
  let bob: User;
  beforeEach(async () => {
    const { accounts, signUp } = core();
    [ada, bob] = [await signUp(), await signUp('bob@example.com')];
    const tier = { service: 'DROP', tier: 'enterprise' };
    for (const { id } of [ada, bob]) await accounts.setUserEntitlement(undefined, id, tier, caller);
  });

  const setTier = ({ id }: User, tier: string) =>
    core().accounts.setUserEntitlement(undefined, id, { service: 'DROP', tier }, caller);
  const claim = async ({ principal }: User, domain: string) =>
    core().accounts.setCustomDomain(await principal(), { domain }, caller);
  const set = (user: User, domain: string) => codeOf(claim(user, domain));
  const verify = async ({ principal }: User) =>
    codeOf(core().accounts.verifyCustomDomain(await principal(), caller));
  const remove = async ({ principal }: User) => core().accounts.removeCustomDomain(await principal(), caller);
  const show = async ({ principal }: User) => core().accounts.showCustomDomain(await principal());
  const isVerified = async (user: User) => (await show(user)).customDomainVerified;
  const publish = ({ verification }: Awaited<ReturnType<typeof claim>>) =>
    core().dns.set(verification.name, verification.value);
  /** Claims a domain and verifies it. */
  const claimAndVerify = async (user: User, domain: string) => {
    publish(await claim(user, domain));
    return verify(user);
  };
  const check = () => core().accounts.background.checkCustomDomains();

  it('is shown with its state, and with its TXT record until it is verified', async () => {
    const { accounts } = core();
    const none = { customDomain: null, customDomainVerified: false, hasCustomDomain: false };
    expect(await show(ada)).to.deep.equal(none);
    const claimAnswer = await claim(ada, 'shown.dev');
    const { message: dueMessage, verification, ...rest } = claimAnswer;
    const record = { type: 'TXT', name: '_drop-verification.shown.dev', value: verification.value };
    expect(rest).to.deep.equal({ success: true, domain: 'shown.dev' });
    expect(verification).to.deep.equal(record);
    const view = { customDomain: 'shown.dev', customDomainVerified: false, hasCustomDomain: true };
    expect(await show(ada)).to.deep.equal({ ...view, verification });
    const early = await ada.principal();
    publish(claimAnswer);
    // The early principal still holds the unverified domain.
    for (const principal of [early, early, await ada.principal()]) {
      const { message, ...answer } = await accounts.verifyCustomDomain(principal, caller);
      expect(answer).to.deep.equal({ success: true, domain: 'shown.dev' });
      expect(message).to.match(/^[A-Z].* verified\.$/);
    }
    expect(await show(ada)).to.deep.equal({ ...view, customDomainVerified: true });
    const { message: verifiedMessage } = await claim(ada, 'shown.dev');
    expect(dueMessage).to.match(/^[A-Z].* TXT .*\.$/);
    expect(verifiedMessage).to.match(/^[A-Z].* verified\.$/);
    expect(await set(bob, 'shown.dev')).to.equal('domain_taken');
    const answers = [await remove(ada), await remove(ada)];
    expect(answers.map(({ success }) => success)).to.deep.equal([true, true]);
    expect(answers[0]?.message).to.match(/^[A-Z].*free again\.$/);
    expect(answers[1]?.message).to.match(/^No .*\.$/);
    expect(await show(ada)).to.deep.equal(none);
    expect(await verify(ada)).to.equal('domain_not_set');
  });

  it('is unchanged if set again in any spelling, and gets a new record with every new claim', async () => {
    const first = await claim(ada, 'again.dev');
    expect(await claim(ada, 'AGAIN.dev')).to.deep.equal(first);
    const values = new Set([first.verification.value]);
    for (const domain of ['other.dev', 'again.dev'])
      values.add((await claim(ada, domain)).verification.value);
    await remove(ada);
    values.add((await claim(ada, 'again.dev')).verification.value);
    expect(values.size).to.equal(4);
    await claimAndVerify(bob, 'own.dev');
    expect([await set(bob, 'own.dev'), await isVerified(bob)]).to.deep.equal(['done', true]);
  });

  it('is refused if another user has claimed or verified it, and the previous domain stays', async () => {
    await claim(ada, 'taken.dev');
    expect(await set(bob, 'Taken.dev.')).to.equal('domain_taken');
    expect(await set(bob, 'sub.taken.dev')).to.equal('done');
    await claimAndVerify(ada, 'owned.dev');
    expect(await set(bob, 'owned.dev')).to.equal('domain_taken');
    expect((await show(bob)).customDomain).to.equal('sub.taken.dev');
    await remove(ada);
    expect(await set(bob, 'owned.dev')).to.equal('done');
  });

  it('is reserved for 7 days from its first claim, even if it is removed and claimed again', async () => {
    const { clock } = core();
    await claim(ada, 'squat.dev');
    clock.advance(6 * DAY);
    await remove(ada);
    await claim(ada, 'squat.dev');
    expect(await set(bob, 'squat.dev')).to.equal('domain_taken');
    clock.advance(DAY);
    await remove(ada);
    await claim(ada, 'squat.dev');
    expect(await claimAndVerify(bob, 'squat.dev')).to.equal('done');
  });

  it('is not reserved by a claim from before the clock was set back', async () => {
    const { clock } = core();
    clock.advance(20 * DAY);
    await claim(ada, 'future.dev');
    clock.advance(-20 * DAY);
    expect(await claimAndVerify(bob, 'future.dev')).to.equal('done');
  });

  it('is hidden without the tier, still belongs to the user, and can be removed', async () => {
    await claimAndVerify(ada, 'kept.dev');
    await setTier(ada, 'pro');
    expect(await codeOf(show(ada))).to.equal('enterprise_only');
    expect(await set(bob, 'kept.dev')).to.equal('domain_taken');
    await setTier(ada, 'enterprise');
    expect(await isVerified(ada)).to.equal(true);
    await setTier(ada, 'free');
    await remove(ada);
    expect(await set(bob, 'kept.dev')).to.equal('done');
  });

  it('is verified by the exact value of its record, and stays verified without DNS', async () => {
    const { dns } = core();
    const { verification } = await claim(ada, 'among.dev');
    const { name, value } = verification;
    const before = dns.asked.length;
    for (const texts of [[], [''], [value.slice(1)], [`${value} `], [`x${value}`], [value.toLowerCase()]]) {
      dns.set(name, ...texts);
      expect(await verify(ada), JSON.stringify(texts)).to.equal('domain_not_verified');
    }
    dns.set('among.dev', value);
    expect(await verify(ada)).to.equal('domain_not_verified');
    dns.set(name, 'v=spf1 -all', value);
    expect(await verify(ada)).to.equal('done');
    expect(new Set(dns.asked.slice(before))).to.deep.equal(new Set([name]));
    dns.state.down = true;
    expect(await verify(ada)).to.equal('done');
  });

  it('is refused with `dns_unavailable` while DNS is down, and stays unverified', async () => {
    await claim(ada, 'down.dev');
    core().dns.state.down = true;
    const { principal } = ada;
    const refusal = await rejectionOf(async () =>
      core().accounts.verifyCustomDomain(await principal(), caller),
    );
    expect(refusal).to.include({ kind: 'unavailable', code: 'dns_unavailable' });
    expect(await isVerified(ada)).to.equal(false);
  });

  it('is not verified by the record of an earlier claim', async () => {
    publish(await claim(ada, 'stale.dev'));
    for (const user of [ada, bob]) {
      await remove(ada);
      await claim(user, 'stale.dev');
      expect(await verify(user)).to.equal('domain_not_verified');
    }
  });

  it('can be claimed by others after 7 days, and belongs to the first user who verifies it', async () => {
    const { clock } = core();
    const claimAnswer = await claim(ada, 'shared.dev');
    clock.advance(7 * DAY - 60_000);
    await claim(ada, 'shared.dev');
    expect(await set(bob, 'shared.dev')).to.equal('domain_taken');
    clock.advance(120_000);
    publish(await claim(bob, 'shared.dev'));
    expect(await claim(ada, 'shared.dev')).to.deep.equal(claimAnswer);
    expect([await verify(ada), await verify(bob)]).to.deep.equal(['domain_not_verified', 'done']);
    publish(claimAnswer);
    expect([await verify(ada), await set(ada, 'shared.dev')]).to.deep.equal(['domain_taken', 'domain_taken']);
    expect([await isVerified(ada), await isVerified(bob)]).to.deep.equal([false, true]);
    await remove(bob);
    expect(await verify(ada)).to.equal('done');
  });

  it('has an audit row for every change, without the value of its record', async () => {
    const { accounts, settle } = core();
    await claimAndVerify(ada, 'first.dev');
    const { verification } = await claim(ada, 'second.dev');
    await settle();
    const changes: unknown[] = [];
    for await (const { action, before, after } of accounts.operate.listAudit({ user: ada.id }))
      if (action?.startsWith('domain.')) changes.push([action, before, after]);
    const first = { domain: 'first.dev', verified: true };
    expect(changes).to.deep.equal([
      ['domain.claimed', null, { domain: 'first.dev' }],
      ['domain.verified', { ...first, verified: false }, first],
      ['domain.removed', first, null],
      ['domain.claimed', null, { domain: 'second.dev' }],
    ]);
    expect(JSON.stringify(changes)).not.to.include(verification.value);
  });

  it('is exported after it was given up, and erased with the account', async () => {
    const { account, accounts } = core();
    for (const domain of ['first.dev', 'second.dev']) await claim(ada, domain);
    const { user } = await accounts.operate.exportUser(ada.id, { actor: 'operator:cli' });
    expect(user.formerDomains.map(({ domain }) => domain)).to.deep.equal(['first.dev']);
    await accounts.deleteAccount(await ada.principal(), { password }, caller);
    expect(JSON.stringify(await account(ada.id))).not.to.match(/first|second/);
  });

  describe('The daily check', () => {
    const NAME = '_drop-verification.daily.dev';
    let value = '';
    beforeEach(async () => {
      const claimAnswer = await claim(ada, 'daily.dev');
      publish(claimAnswer);
      await verify(ada);
      value = claimAnswer.verification.value;
    });
    /** Lets the given number of days pass, with a check on each. */
    const days = async (count: number) => {
      for (let day = 0; day < count; day += 1) {
        core().clock.advance(DAY);
        await check();
      }
    };

    it('looks a domain up once a day', async () => {
      const { clock, dns } = core();
      const lookUps = () => dns.asked.filter((name) => name === NAME).length;
      const before = lookUps();
      clock.advance(DAY - 60_000);
      await check();
      expect(lookUps()).to.equal(before);
      clock.advance(60_000);
      for (let time = 0; time < 2; time += 1) await check();
      expect(lookUps()).to.equal(before + 1);
    });

    it('ends the verification on the 7th day in a row without the record, with one audit row', async () => {
      const { actionsAbout, accounts, dns } = core();
      dns.clear(NAME);
      await days(6);
      dns.set(NAME, value);
      await days(1);
      dns.clear(NAME);
      await days(6);
      expect([await isVerified(ada), await set(bob, 'daily.dev')]).to.deep.equal([true, 'domain_taken']);
      await days(1);
      const view = await show(ada);
      expect(view).to.include({ customDomain: 'daily.dev', customDomainVerified: false });
      expect(view.verification?.value).to.equal(value);
      await check();
      expect((await actionsAbout(ada.id)).filter((action) => action === 'domain.unverified')).to.have.length(
        1,
      );
      const rows = [];
      for await (const row of accounts.operate.listAudit({ user: ada.id })) rows.push(row);
      expect(rows.at(-1)).to.deep.include({
        ...{ action: 'domain.unverified', actor: 'system', target: ada.id },
        ...{ reason: '7 days without the TXT record', after: { domain: 'daily.dev', verified: false } },
      });
    });

    it('goes on daily after a check with a clock that was ahead', async () => {
      const { clock, dns } = core();
      clock.advance(20 * DAY);
      await check();
      clock.advance(-20 * DAY);
      dns.clear(NAME);
      await days(6);
      expect(await isVerified(ada)).to.equal(true);
      await days(1);
      expect(await isVerified(ada)).to.equal(false);
    });

    it('frees the domain for its user and for others after 7 days', async () => {
      const { dns } = core();
      dns.clear(NAME);
      await days(7);
      const { verification } = await claim(bob, 'daily.dev');
      expect(await verify(ada)).to.equal('domain_not_verified');
      dns.set(NAME, value, verification.value);
      expect([await verify(ada), await verify(bob)]).to.deep.equal(['done', 'domain_taken']);
    });

    it('does not count days without DNS, and looks the domain up again within the hour', async () => {
      const { clock, dns } = core();
      dns.clear(NAME);
      await days(6);
      dns.state.down = true;
      await days(5);
      expect(await isVerified(ada)).to.equal(true);
      dns.state.down = false;
      clock.advance(3_600_000);
      await check();
      expect(await isVerified(ada)).to.equal(false);
    });
  });
});
