import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { grantTier, signUpEnterprise } from '../entitlements/enterprise.ts';
import { useStores } from '../stores.ts';
import { domainsOf, said } from './domains.ts';

const NONE = { customDomain: null, customDomainVerified: false, hasCustomDomain: false };

describe('The custom domain', () => {
  const service = useService({ PUBLIC_URL: 'https://accounts.gatehouse.dev' });
  const stores = useStores(service);
  const { show, set, remove, verify, own, put } = domainsOf(service);
  const signUp = () => signUpEnterprise(service());
  let ada: User;
  let bob: User;
  beforeEach(async () => {
    ada = await signUp();
    bob = await signUp();
  });

  it('is none at first', async () => {
    const { status, body } = await show(ada);
    expect(status).to.equal(200);
    expect(body).to.deep.equal(NONE);
  });

  it('is set unverified, with the TXT record that is due', async () => {
    const { status, body } = await set(ada, ' Bücher.dev. ');
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'domain', 'message', 'verification');
    expect(body).to.deep.include({ success: true, domain: 'xn--bcher-kva.dev' });
    expect(body.verification).to.deep.include({
      type: 'TXT',
      name: '_drop-verification.xn--bcher-kva.dev',
    });
    expect(body.verification?.value).to.match(/^[A-Za-z0-9_-]{22,}$/);
    expect((await show(ada)).body).to.deep.equal({
      customDomain: 'xn--bcher-kva.dev',
      customDomainVerified: false,
      hasCustomDomain: true,
      verification: body.verification,
    });
  });

  it('is verified by its TXT record, and refused to others then', async () => {
    expect(said(await verify(ada))).to.deep.equal([404, 'domain_not_set']);
    const { body } = await set(ada, 'ada.dev');
    expect(said(await verify(ada))).to.deep.equal([400, 'domain_not_verified']);
    service().dns.state.down = true;
    const down = await verify(ada);
    service().dns.state.down = false;
    expect(said(down)).to.deep.equal([503, 'dns_unavailable']);
    expect(Number(down.headers.get('retry-after'))).to.be.above(0);

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
    expect(said(await set(bob, 'ada.dev'))).to.deep.equal([409, 'domain_taken']);
    expect((await show(bob)).body).to.deep.equal(NONE);
  });

  it('is refused, with the time to wait, to whoever gave up fifty others, which are forgotten with the account', async () => {
    for (let number = 0; number < 51; number += 1) await set(ada, `many${number}.dev`);
    const refused = await set(ada, 'onemore.dev');
    expect(said(refused)).to.deep.equal([429, 'too_many_domains']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 86_400);
    const { user } = await service().composition.accounts.operate.exportUser(ada.id, {
      actor: 'operator:cli',
    });
    expect(user.formerDomains).to.have.length(50);
    await service().post('/api/auth/delete-account', { password: ada.password }, { token: ada.token });
    expect(JSON.stringify(await stores().accounts.find(ada.id))).not.to.match(/many\d/);
  });

  it('is removed and free at once, also when none is set', async () => {
    await own(ada, 'gone.dev');
    for (const removed of [await remove(ada), await remove(ada)]) {
      expect(removed.status).to.equal(200);
      expect(removed.body).to.have.all.keys('success', 'message');
      expect(removed.body.success).to.equal(true);
    }
    expect((await show(ada)).body).to.deep.equal(NONE);
  });

  it('is no name that is reserved or the service’s own, nor anything but a name', async () => {
    for (const domain of ['a.local', 'me.accounts.gatehouse.dev']) {
      expect(said(await set(ada, domain)), domain).to.deep.equal([400, 'reserved_domain']);
    }
    expect(said(await set(ada, 'acme.dev:80'))).to.deep.equal([400, 'invalid_domain']);
    expect((await show(ada)).body).to.deep.equal(NONE);
  });

  it('is for the enterprise tier alone, but for removing it, and says so before it looks at the body', async () => {
    const other = await service().signUp();
    for (const tier of [undefined, 'free', 'pro-lite', 'pro']) {
      if (tier !== undefined) await grantTier(service(), other, tier);
      for (const reply of [
        await show(other),
        await set(other, 'a.dev'),
        await set(other, 7),
        await verify(other),
      ]) {
        expect(said(reply), tier).to.deep.equal([403, 'enterprise_only']);
      }
      expect((await remove(other)).status).to.equal(200);
    }
    expect(await stores().domains.find('a.dev')).to.equal(undefined);
  });

  it('is in the audit log with every change, and no token is', async () => {
    const { body } = await set(ada, 'first.dev');
    await own(ada, 'second.dev');
    await set(ada, 'second.dev');
    await verify(ada);
    await remove(ada);
    await remove(ada);
    await stores().settled();
    const rows = (await stores().rowsOf(ada.id)).map(({ content }) => JSON.parse(content ?? '{}'));
    const ours = rows.filter(({ action }) => action.startsWith('domain.'));
    expect(ours.map(({ action, before, after }) => [action, before, after])).to.deep.equal([
      ['domain.claimed', null, { domain: 'first.dev' }],
      ['domain.removed', { domain: 'first.dev', verified: false }, null],
      ['domain.claimed', null, { domain: 'second.dev' }],
      [
        'domain.verified',
        { domain: 'second.dev', verified: false },
        { domain: 'second.dev', verified: true },
      ],
      ['domain.removed', { domain: 'second.dev', verified: true }, null],
    ]);
    for (const row of ours) expect(row).to.include({ actor: ada.id, target: ada.id });
    expect(JSON.stringify(rows)).not.to.include(String(body.verification?.value));
  });
});
