import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-operated.ts';
import { caller, codeOf } from '../open-core.ts';
import { type People, usePeople } from '../use-people.ts';

const DAY = 86_400_000;

describe('A custom domain', () => {
  const people = usePeople();
  type Person = Awaited<ReturnType<People['signUp']>>;
  let ada: Person;
  let bob: Person;
  beforeEach(async () => {
    const { accounts, signUp } = people();
    [ada, bob] = [await signUp(), await signUp('bob@example.com')];
    const tier = { service: 'DROP', tier: 'enterprise' };
    for (const { id } of [ada, bob]) await accounts.setUserEntitlement(undefined, id, tier, caller);
  });

  const setTier = ({ id }: Person, tier: string) =>
    people().accounts.setUserEntitlement(undefined, id, { service: 'DROP', tier }, caller);
  const claim = async ({ who }: Person, domain: string) =>
    people().accounts.setCustomDomain(await who(), { domain }, caller);
  const set = (who: Person, domain: string) => codeOf(claim(who, domain));
  const verify = async ({ who }: Person) => codeOf(people().accounts.verifyCustomDomain(await who(), caller));
  const remove = async ({ who }: Person) => people().accounts.removeCustomDomain(await who(), caller);
  const show = async ({ who }: Person) => people().accounts.showCustomDomain(await who());
  const isVerified = async (who: Person) => (await show(who)).customDomainVerified;
  const publish = ({ verification }: Awaited<ReturnType<typeof claim>>) =>
    people().dns.set(verification.name, verification.value);
  /** Claims a domain and verifies it. */
  const own = async (who: Person, domain: string) => {
    publish(await claim(who, domain));
    return verify(who);
  };
  const look = () => people().accounts.background.checkCustomDomains();

  it('is shown and answered for as it stands, with its record while that is due', async () => {
    const { accounts } = people();
    const none = { customDomain: null, customDomainVerified: false, hasCustomDomain: false };
    expect(await show(ada)).to.deep.equal(none);
    const claimed = await claim(ada, 'shown.dev');
    const { message: due, verification, ...rest } = claimed;
    const record = { type: 'TXT', name: '_drop-verification.shown.dev', value: verification.value };
    expect(rest).to.deep.equal({ success: true, domain: 'shown.dev' });
    expect(verification).to.deep.equal(record);
    const shown = { customDomain: 'shown.dev', customDomainVerified: false, hasCustomDomain: true };
    expect(await show(ada)).to.deep.equal({ ...shown, verification });
    const early = await ada.who();
    publish(claimed);
    // Also by one who asked before it was verified, and finds it so.
    for (const who of [early, early, await ada.who()]) {
      const { message, ...verified } = await accounts.verifyCustomDomain(who, caller);
      expect(verified).to.deep.equal({ success: true, domain: 'shown.dev' });
      expect(message).to.match(/^[A-Z].* verified\.$/);
    }
    expect(await show(ada)).to.deep.equal({ ...shown, customDomainVerified: true });
    const { message: had } = await claim(ada, 'shown.dev');
    expect(due).to.match(/^[A-Z].* TXT .*\.$/);
    expect(had).to.match(/^[A-Z].* verified\.$/);
    expect(await set(bob, 'shown.dev')).to.equal('domain_taken');
    const answers = [await remove(ada), await remove(ada)];
    expect(answers.map(({ success }) => success)).to.deep.equal([true, true]);
    expect(answers[0]?.message).to.match(/^[A-Z].*free again\.$/);
    expect(answers[1]?.message).to.match(/^No .*\.$/);
    expect(await show(ada)).to.deep.equal(none);
    expect(await verify(ada)).to.equal('domain_not_set');
  });

  it('stays as it is when it is set again, in any spelling, and asks for another record of every claim', async () => {
    const first = await claim(ada, 'again.dev');
    expect(await claim(ada, 'AGAIN.dev')).to.deep.equal(first);
    const values = new Set([first.verification.value]);
    for (const domain of ['other.dev', 'again.dev'])
      values.add((await claim(ada, domain)).verification.value);
    await remove(ada);
    values.add((await claim(ada, 'again.dev')).verification.value);
    expect(values.size).to.equal(4);
    await own(bob, 'own.dev');
    expect([await set(bob, 'own.dev'), await isVerified(bob)]).to.deep.equal(['done', true]);
  });

  it('is refused while another has just claimed or has verified it, which leaves the one that is had', async () => {
    await claim(ada, 'taken.dev');
    expect(await set(bob, 'Taken.dev.')).to.equal('domain_taken');
    expect(await set(bob, 'sub.taken.dev')).to.equal('done');
    await own(ada, 'owned.dev');
    expect(await set(bob, 'owned.dev')).to.equal('domain_taken');
    expect((await show(bob)).customDomain).to.equal('sub.taken.dev');
    await remove(ada);
    expect(await set(bob, 'owned.dev')).to.equal('done');
  });

  it('keeps others away for the rest of the first 7 days when it is given up and claimed again', async () => {
    const { clock } = people();
    await claim(ada, 'squat.dev');
    clock.advance(6 * DAY);
    await remove(ada);
    await claim(ada, 'squat.dev');
    expect(await set(bob, 'squat.dev')).to.equal('domain_taken');
    clock.advance(DAY);
    await remove(ada);
    await claim(ada, 'squat.dev');
    expect(await own(bob, 'squat.dev')).to.equal('done');
  });

  it('keeps nobody away by a claim that was made before the clock was set back', async () => {
    const { clock } = people();
    clock.advance(20 * DAY);
    await claim(ada, 'future.dev');
    clock.advance(-20 * DAY);
    expect(await own(bob, 'future.dev')).to.equal('done');
  });

  it('is kept out of sight while the tier is lost, still the user’s, and can be removed', async () => {
    await own(ada, 'kept.dev');
    await setTier(ada, 'pro');
    expect(await codeOf(show(ada))).to.equal('enterprise_only');
    expect(await set(bob, 'kept.dev')).to.equal('domain_taken');
    await setTier(ada, 'enterprise');
    expect(await isVerified(ada)).to.equal(true);
    await setTier(ada, 'free');
    await remove(ada);
    expect(await set(bob, 'kept.dev')).to.equal('done');
  });

  it('is verified by the value among others under that one name, and needs nothing more then', async () => {
    const { dns } = people();
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

  it('waits for a DNS that is down', async () => {
    await claim(ada, 'down.dev');
    people().dns.state.down = true;
    const { who } = ada;
    const refusal = await rejectionOf(async () => people().accounts.verifyCustomDomain(await who(), caller));
    expect(refusal).to.include({ kind: 'unavailable', code: 'dns_unavailable' });
    expect(await isVerified(ada)).to.equal(false);
  });

  it('is not verified by the record of an earlier claim', async () => {
    publish(await claim(ada, 'stale.dev'));
    for (const who of [ada, bob]) {
      await remove(ada);
      await claim(who, 'stale.dev');
      expect(await verify(who)).to.equal('domain_not_verified');
    }
  });

  it('may be claimed by others after 7 days, set again or not, and the first to verify own it', async () => {
    const { clock } = people();
    const claimed = await claim(ada, 'shared.dev');
    clock.advance(7 * DAY - 60_000);
    await claim(ada, 'shared.dev');
    expect(await set(bob, 'shared.dev')).to.equal('domain_taken');
    clock.advance(120_000);
    publish(await claim(bob, 'shared.dev'));
    expect(await claim(ada, 'shared.dev')).to.deep.equal(claimed);
    expect([await verify(ada), await verify(bob)]).to.deep.equal(['domain_not_verified', 'done']);
    publish(claimed);
    expect([await verify(ada), await set(ada, 'shared.dev')]).to.deep.equal(['domain_taken', 'domain_taken']);
    expect([await isVerified(ada), await isVerified(bob)]).to.deep.equal([false, true]);
    await remove(bob);
    expect(await verify(ada)).to.equal('done');
  });

  it('is in the audit log with every change, without the value of its record', async () => {
    const { accounts, settle } = people();
    await own(ada, 'first.dev');
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

  it('that was given up is exported, and forgotten with the account', async () => {
    const { account, accounts } = people();
    for (const domain of ['first.dev', 'second.dev']) await claim(ada, domain);
    const { user } = await accounts.operate.exportUser(ada.id, { actor: 'operator:cli' });
    expect(user.formerDomains.map(({ domain }) => domain)).to.deep.equal(['first.dev']);
    await accounts.deleteAccount(await ada.who(), { password }, caller);
    expect(JSON.stringify(await account(ada.id))).not.to.match(/first|second/);
  });

  describe('day by day', () => {
    const NAME = '_drop-verification.daily.dev';
    let value = '';
    beforeEach(async () => {
      const claimed = await claim(ada, 'daily.dev');
      publish(claimed);
      await verify(ada);
      value = claimed.verification.value;
    });
    /** Lets so many days pass, with a look on each. */
    const days = async (count: number) => {
      for (let day = 0; day < count; day += 1) {
        people().clock.advance(DAY);
        await look();
      }
    };

    it('is looked up once', async () => {
      const { clock, dns } = people();
      const asked = () => dns.asked.filter((name) => name === NAME).length;
      const before = asked();
      clock.advance(DAY - 60_000);
      await look();
      expect(asked()).to.equal(before);
      clock.advance(60_000);
      for (let time = 0; time < 2; time += 1) await look();
      expect(asked()).to.equal(before + 1);
    });

    it('is verified to the 7th day in a row without the record, which the audit log tells', async () => {
      const { actionsAbout, accounts, dns } = people();
      dns.clear(NAME);
      await days(6);
      dns.set(NAME, value);
      await days(1);
      dns.clear(NAME);
      await days(6);
      expect([await isVerified(ada), await set(bob, 'daily.dev')]).to.deep.equal([true, 'domain_taken']);
      await days(1);
      const shown = await show(ada);
      expect(shown).to.include({ customDomain: 'daily.dev', customDomainVerified: false });
      expect(shown.verification?.value).to.equal(value);
      await look();
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

    it('is looked up once a day, though a look was made while the clock was ahead', async () => {
      const { clock, dns } = people();
      clock.advance(20 * DAY);
      await look();
      clock.advance(-20 * DAY);
      dns.clear(NAME);
      await days(6);
      expect(await isVerified(ada)).to.equal(true);
      await days(1);
      expect(await isVerified(ada)).to.equal(false);
    });

    it('is free then for others, or for its user again', async () => {
      const { dns } = people();
      dns.clear(NAME);
      await days(7);
      const { verification } = await claim(bob, 'daily.dev');
      expect(await verify(ada)).to.equal('domain_not_verified');
      dns.set(NAME, value, verification.value);
      expect([await verify(ada), await verify(bob)]).to.deep.equal(['done', 'domain_taken']);
    });

    it('loses nothing by days on which the DNS did not answer, and is looked up again within the hour', async () => {
      const { clock, dns } = people();
      dns.clear(NAME);
      await days(6);
      dns.state.down = true;
      await days(5);
      expect(await isVerified(ada)).to.equal(true);
      dns.state.down = false;
      clock.advance(3_600_000);
      await look();
      expect(await isVerified(ada)).to.equal(false);
    });
  });
});
