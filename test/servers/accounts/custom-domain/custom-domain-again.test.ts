import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { signUpEnterprise } from '../entitlements/enterprise.ts';
import { logInAgain } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';
import { DAY, domainsOf, said } from './domains.ts';

describe('A custom domain that is given up and claimed again', () => {
  const service = useService();
  const stores = useStores(service);
  const { show, set, remove, own } = domainsOf(service);
  let ada: User;
  let bob: User;
  const pass = async (milliseconds: number) => {
    service().clock.advance(milliseconds);
    [ada, bob] = await Promise.all([logInAgain(service(), ada), logInAgain(service(), bob)]);
  };
  beforeEach(async () => {
    [ada, bob] = await Promise.all([signUpEnterprise(service()), signUpEnterprise(service())]);
  });

  it('keeps others away for the rest of the first 7 days, and no longer', async () => {
    await set(ada, 'squat.dev');
    await pass(6 * DAY);
    await remove(ada);
    expect((await set(ada, 'squat.dev')).status).to.equal(200);
    expect(said(await set(bob, 'squat.dev'))).to.deep.equal([409, 'domain_taken']);
    await pass(DAY);
    await remove(ada);
    await set(ada, 'squat.dev');
    expect((await own(bob, 'squat.dev')).status).to.equal(200);
    expect((await show(bob)).body).to.include({ customDomain: 'squat.dev', customDomainVerified: true });
  });

  it('is refused, with the time to wait, to whoever gave up fifty others', async () => {
    for (let number = 0; number < 51; number += 1) await set(ada, `many${number}.dev`);
    const refused = await set(ada, 'onemore.dev');
    expect(said(refused)).to.deep.equal([429, 'too_many_domains']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 86_400);
    expect((await set(ada, 'many0.dev')).status).to.equal(200);
    expect((await remove(ada)).status).to.equal(200);
  });

  it('is remembered with the account, shown in its export, and gone with it', async () => {
    await set(ada, 'former.dev');
    await remove(ada);
    const { operate } = service().composition.accounts;
    const { user } = await operate.exportUser(ada.id, { actor: 'operator:cli' });
    expect(user.formerDomains.map(({ domain }) => domain)).to.deep.equal(['former.dev']);
    expect(await stores().domains.find('former.dev')).to.equal(undefined);
    await service().post('/api/auth/delete-account', { password: ada.password }, { token: ada.token });
    expect(JSON.stringify(await stores().accounts.find(ada.id))).not.to.include('former.dev');
  });
});
