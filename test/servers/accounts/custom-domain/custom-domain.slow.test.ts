import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { grantTier, signUpEnterprise } from '../entitlements/enterprise.ts';
import { useStores } from '../stores.ts';
import { domainsOf, said } from './domains.ts';

const NONE = { customDomain: null, customDomainVerified: false, hasCustomDomain: false };

describe('The custom domain', () => {
  const service = useService({ PUBLIC_URL: 'https://accounts.gatehouse.dev' });
  const stores = useStores(service);
  const { show, set, remove, verify, own } = domainsOf(service);
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

  it('asks for another record of every claim', async () => {
    const values = new Set<unknown>();
    for (const domain of ['tokens.dev', 'other.tokens.dev', 'tokens.dev']) {
      values.add((await set(ada, domain)).body.verification?.value);
    }
    await remove(ada);
    values.add((await set(ada, 'tokens.dev')).body.verification?.value);
    expect(values.size).to.equal(4);
    await remove(ada);
  });

  it('stays as it is when it is set again', async () => {
    const first = await set(ada, 'again.dev');
    const again = await set(ada, 'AGAIN.dev');
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(first.body);
    await own(bob, 'own.dev');
    expect((await set(bob, 'own.dev')).status).to.equal(200);
    expect((await show(bob)).body).to.include({ customDomain: 'own.dev', customDomainVerified: true });
  });

  it('is refused while another has just claimed or has verified it', async () => {
    await set(ada, 'taken.dev');
    expect(said(await set(bob, 'taken.dev'))).to.deep.equal([409, 'domain_taken']);
    expect(said(await set(bob, 'Taken.dev.'))).to.deep.equal([409, 'domain_taken']);
    expect((await show(bob)).body).to.deep.equal(NONE);
    expect((await set(bob, 'sub.taken.dev')).status).to.equal(200);
    await own(ada, 'owned.dev');
    expect(said(await set(bob, 'owned.dev'))).to.deep.equal([409, 'domain_taken']);
    expect((await show(bob)).body.customDomain).to.equal('sub.taken.dev');
  });

  it('is removed and free at once, also when none is set', async () => {
    await own(ada, 'gone.dev');
    for (const removed of [await remove(ada), await remove(ada)]) {
      expect(removed.status).to.equal(200);
      expect(removed.body).to.have.all.keys('success', 'message');
      expect(removed.body.success).to.equal(true);
    }
    expect((await show(ada)).body).to.deep.equal(NONE);
    expect((await set(bob, 'gone.dev')).status).to.equal(200);
    expect((await stores().domains.find('gone.dev'))?.claims).to.have.length(1);
  });

  it('is no name that is reserved or the service’s own, nor anything but a name', async () => {
    for (const domain of ['a.local', 'example.com', 'accounts.gatehouse.dev', 'me.accounts.gatehouse.dev']) {
      expect(said(await set(ada, domain)), domain).to.deep.equal([400, 'reserved_domain']);
    }
    for (const domain of ['', 'acme', '192.0.2.1', '*.acme.dev', 'acme.dev:80', 'acme.dev/x']) {
      expect(said(await set(ada, domain)), domain).to.deep.equal([400, 'invalid_domain']);
    }
    for (const domain of [undefined, null, 7, ['a.dev'], { $ne: '' }]) {
      expect(said(await set(ada, domain))).to.deep.equal([400, 'invalid_request']);
    }
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

  it('is kept out of sight while the tier is lost, still the user’s, and can be removed', async () => {
    await own(ada, 'kept.dev');
    await grantTier(service(), ada, 'pro');
    expect(said(await show(ada))).to.deep.equal([403, 'enterprise_only']);
    expect(said(await set(bob, 'kept.dev'))).to.deep.equal([409, 'domain_taken']);
    await grantTier(service(), ada, 'enterprise');
    expect((await show(ada)).body).to.include({ customDomain: 'kept.dev', customDomainVerified: true });
    await grantTier(service(), ada, 'free');
    expect((await remove(ada)).status).to.equal(200);
    expect((await set(bob, 'kept.dev')).status).to.equal(200);
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
