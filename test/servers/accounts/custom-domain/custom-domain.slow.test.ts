import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { grantTier, signUpEnterprise } from '../entitlements/enterprise.ts';
import { useStores } from '../stores.ts';
import { domainsOf, outcome } from './domains.ts';

const NONE = { customDomain: null, customDomainVerified: false, hasCustomDomain: false };

describe('A custom domain', () => {
  const service = useService({ PUBLIC_URL: 'https://accounts.gatehouse.dev' });
  const stores = useStores(service);
  const { show, set, remove, verify, put } = domainsOf(service);
  const signUp = () => signUpEnterprise(service());
  let ada: User;
  let bob: User;
  beforeEach(async () => {
    ada = await signUp();
    bob = await signUp();
  });

  it('is set unverified with its TXT record, and is refused below the domain of the service', async () => {
    expect(outcome(await set(ada, 'me.accounts.gatehouse.dev'))).to.deep.equal([400, 'reserved_domain']);
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

  it('is verified by its TXT record, is then refused to other users, and can be removed', async () => {
    expect(outcome(await verify(ada))).to.deep.equal([404, 'domain_not_set']);
    const { body } = await set(ada, 'ada.dev');
    expect(outcome(await verify(ada))).to.deep.equal([400, 'domain_not_verified']);
    service().dns.state.down = true;
    const down = await verify(ada);
    service().dns.state.down = false;
    expect(outcome(down)).to.deep.equal([503, 'dns_unavailable']);
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
    expect(outcome(await set(bob, 'ada.dev'))).to.deep.equal([409, 'domain_taken']);
    expect((await show(bob)).body).to.deep.equal(NONE);

    for (const removed of [await remove(ada), await remove(ada)]) {
      expect(removed.status).to.equal(200);
      expect(removed.body).to.have.all.keys('success', 'message');
    }
    expect((await show(ada)).body).to.deep.equal(NONE);
  });

  it('requires the enterprise tier before its body is checked, except for its removal', async () => {
    const other = await service().signUp();
    for (const tier of [undefined, 'free', 'pro-lite', 'pro']) {
      if (tier !== undefined) await grantTier(service(), other, tier);
      for (const reply of [
        await show(other),
        await set(other, 'a.dev'),
        await set(other, 7),
        await verify(other),
      ]) {
        expect(outcome(reply), tier).to.deep.equal([403, 'enterprise_only']);
      }
      expect((await remove(other)).status).to.equal(200);
    }
    expect(await stores().domains.find('a.dev')).to.equal(undefined);
  });
});
