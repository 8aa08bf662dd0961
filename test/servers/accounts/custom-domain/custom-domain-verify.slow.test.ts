import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { signUpEnterprise } from '../entitlements/enterprise.ts';
import { logInAgain } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';
import { DAY, domainsOf, said } from './domains.ts';

describe('The verification of a custom domain', () => {
  const service = useService();
  const stores = useStores(service);
  const { show, set, remove, verify, put, own, look } = domainsOf(service);
  const isVerified = async (user: User) => (await show(user)).body.customDomainVerified;
  let ada: User;
  let bob: User;
  /** Lets time pass, after which both need new access tokens. */
  const pass = async (milliseconds: number) => {
    service().clock.advance(milliseconds);
    [ada, bob] = await Promise.all([logInAgain(service(), ada), logInAgain(service(), bob)]);
  };
  beforeEach(async () => {
    [ada, bob] = await Promise.all([signUpEnterprise(service()), signUpEnterprise(service())]);
  });
  afterEach(() => {
    service().dns.state.down = false;
  });

  it('takes the TXT record that the answer named, once it is there', async () => {
    const { body } = await set(ada, 'ada.dev');
    expect(said(await verify(ada))).to.deep.equal([400, 'domain_not_verified']);
    expect(await isVerified(ada)).to.equal(false);
    put(body.verification ?? {});
    const { status, body: answer } = await verify(ada);
    expect(status).to.equal(200);
    expect(answer).to.have.all.keys('success', 'domain', 'message');
    expect(answer).to.include({ success: true, domain: 'ada.dev' });
    expect((await show(ada)).body).to.deep.equal({
      customDomain: 'ada.dev',
      customDomainVerified: true,
      hasCustomDomain: true,
    });
  });

  it('asks for that one name, and takes the value among others but no other value', async () => {
    const { body } = await set(ada, 'among.dev');
    const value = String(body.verification?.value);
    const name = '_drop-verification.among.dev';
    const before = service().dns.asked.length;
    for (const texts of [[], [''], [value.slice(1)], [`${value} `], [`x${value}`], [value.toLowerCase()]]) {
      service().dns.set(name, ...texts);
      expect(said(await verify(ada)), JSON.stringify(texts)).to.deep.equal([400, 'domain_not_verified']);
    }
    service().dns.set('among.dev', value);
    expect((await verify(ada)).status).to.equal(400);
    service().dns.set(name, 'v=spf1 -all', value);
    expect((await verify(ada)).status).to.equal(200);
    expect(new Set(service().dns.asked.slice(before))).to.deep.equal(new Set([name]));
  });

  it('needs a domain, and nothing more once it is done', async () => {
    expect(said(await verify(ada))).to.deep.equal([404, 'domain_not_set']);
    await own(ada, 'done.dev');
    service().dns.state.down = true;
    expect((await verify(ada)).status).to.equal(200);
  });

  it('waits for a DNS that is down', async () => {
    await set(ada, 'down.dev');
    service().dns.state.down = true;
    const reply = await verify(ada);
    expect(said(reply)).to.deep.equal([503, 'dns_unavailable']);
    expect(Number(reply.headers.get('retry-after'))).to.be.above(0);
    expect(await isVerified(ada)).to.equal(false);
  });

  it('does not take the record of an earlier claim', async () => {
    const { body } = await set(ada, 'stale.dev');
    put(body.verification ?? {});
    await remove(ada);
    await set(ada, 'stale.dev');
    expect(said(await verify(ada))).to.deep.equal([400, 'domain_not_verified']);
    await remove(ada);
    await set(bob, 'stale.dev');
    expect(said(await verify(bob))).to.deep.equal([400, 'domain_not_verified']);
  });

  it('lets others claim after 7 days, setting again or not, and the first to verify own it', async () => {
    const claimed = await set(ada, 'shared.dev');
    await pass(7 * DAY - 60_000);
    await set(ada, 'shared.dev');
    expect(said(await set(bob, 'shared.dev'))).to.deep.equal([409, 'domain_taken']);
    await pass(120_000);
    const beside = await set(bob, 'shared.dev');
    expect(beside.status).to.equal(200);
    expect((await set(ada, 'shared.dev')).body).to.deep.equal(claimed.body);
    put(beside.body.verification ?? {});
    expect(said(await verify(ada))).to.deep.equal([400, 'domain_not_verified']);
    expect((await verify(bob)).status).to.equal(200);
    put(claimed.body.verification ?? {});
    expect(said(await verify(ada))).to.deep.equal([409, 'domain_taken']);
    expect(said(await set(ada, 'shared.dev'))).to.deep.equal([409, 'domain_taken']);
    expect([await isVerified(ada), await isVerified(bob)]).to.deep.equal([false, true]);
    await remove(bob);
    expect((await verify(ada)).status).to.equal(200);
  });

  describe('day by day', () => {
    const NAME = '_drop-verification.daily.dev';
    let value = '';
    beforeEach(async () => {
      const { body } = await set(ada, 'daily.dev');
      value = String(body.verification?.value);
      service().dns.set(NAME, value);
      await verify(ada);
    });
    afterEach(() => remove(ada));
    /** Lets so many days pass, with a look on each. */
    const days = async (count: number) => {
      for (let day = 0; day < count; day += 1) {
        await pass(DAY);
        await look();
      }
    };

    it('looks once a day', async () => {
      const asked = () => service().dns.asked.filter((name) => name === NAME).length;
      const before = asked();
      await pass(DAY - 60_000);
      await look();
      expect(asked()).to.equal(before);
      await pass(60_000);
      await look();
      await look();
      expect(asked()).to.equal(before + 1);
    });

    it('ends with the 7th day in a row without the record, and no sooner', async () => {
      service().dns.clear(NAME);
      await days(6);
      expect(await isVerified(ada)).to.equal(true);
      service().dns.set(NAME, value);
      await days(1);
      service().dns.clear(NAME);
      await days(6);
      expect(await isVerified(ada)).to.equal(true);
      expect(said(await set(bob, 'daily.dev'))).to.deep.equal([409, 'domain_taken']);
      await days(1);
      const { body } = await show(ada);
      expect(body).to.include({ customDomain: 'daily.dev', customDomainVerified: false });
      expect(body.verification?.value).to.equal(value);
    });

    it('leaves the domain to others then, or to its user again', async () => {
      service().dns.clear(NAME);
      await days(7);
      const { body } = await set(bob, 'daily.dev');
      expect(said(await verify(ada))).to.deep.equal([400, 'domain_not_verified']);
      service().dns.set(NAME, value, String(body.verification?.value));
      expect((await verify(ada)).status).to.equal(200);
      expect(said(await verify(bob))).to.deep.equal([409, 'domain_taken']);
      await remove(bob);
    });

    it('counts no day on which the DNS did not answer, and looks again within the hour', async () => {
      service().dns.clear(NAME);
      await days(6);
      service().dns.state.down = true;
      await days(5);
      expect(await isVerified(ada)).to.equal(true);
      service().dns.state.down = false;
      await pass(3_600_000);
      await look();
      expect(await isVerified(ada)).to.equal(false);
    });

    it('says so in the audit log', async () => {
      service().dns.clear(NAME);
      await days(7);
      await look();
      await stores().settled();
      const rows = (await stores().rowsOf(ada.id)).map(({ content }) => JSON.parse(content ?? '{}'));
      const [row, ...others] = rows.filter(({ action }) => action === 'domain.unverified');
      expect(others).to.deep.equal([]);
      expect(row).to.deep.include({
        actor: 'system',
        target: ada.id,
        reason: '7 days without the TXT record',
      });
      expect(row.after).to.deep.equal({ domain: 'daily.dev', verified: false });
    });
  });
});
