import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const JSON_PLEASE = { Accept: 'application/json' };

describe('A purchased plan', () => {
  const service = useService({
    SELF_ENTITLEMENT: 'ignore',
    CHECKOUT_SUCCESS_URL: 'https://app.example.com/thanks?checkout={CHECKOUT_ID}',
    BILLING_RETURN_URL: 'https://app.example.com/plan',
  });

  const get = (user: User, path: string) =>
    service().request('GET', path, { token: user.token, headers: JSON_PLEASE });
  const addressOf = async (user: User, path: string) => String((await get(user, path)).body.url);
  const tierOf = async (user: User) =>
    String((await get(user, '/api/auth/me')).body.user?.serviceAccess?.[0]?.tier ?? 'none');
  const pay = async (user: User) => {
    const checkout = await addressOf(user, '/api/billing/checkout?plan=pro&billingCycle=monthly');
    const { headers } = await fetch(`${checkout}/pay`, { method: 'POST', redirect: 'manual' });
    await until(async () => (await tierOf(user)) === 'pro');
    return headers.get('location');
  };
  const asAdmin = () => ({
    headers: { 'x-internal-secret': readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim() },
  });
  const admin = async (path: string) => (await service().request('GET', path, asAdmin())).body;
  const search = async (body: object) =>
    (await service().post('/api/admin/users/search', body, asAdmin())).body;
  const signInAgain = async ({ email, password, ...user }: User): Promise<User> => {
    const { body } = await service().post('/api/auth/login', { email, password });
    return { ...user, email, password, token: String(body.token) };
  };

  it('redirects buyers to the URLs of the settings', async () => {
    const user = await service().signUp();
    expect(await pay(user)).to.match(/^https:\/\/app\.example\.com\/thanks\?checkout=[\da-f-]{36}$/);
    const portal = await (await fetch(await addressOf(user, '/api/billing/portal'))).text();
    expect(portal).to.include('href="https://app.example.com/plan"');
  });

  it('ends for its owner, in lists and in statistics once its period has ended', async () => {
    let user = await service().signUp();
    const { premiumUsers: before } = await admin('/api/admin/users/stats');
    await pay(user);
    const portal = await addressOf(user, '/api/billing/portal');
    const [, cancel] = /action="([^"]+\/cancel)"/.exec(await (await fetch(portal)).text()) ?? [];
    await fetch(`${service().url}${cancel}`, { method: 'POST', redirect: 'manual' });
    await until(async () => String((await get(user, '/api/subscription')).body.status) === 'canceled');
    const inLists = async () => [
      String((await search({ email: user.email })).users?.[0]?.serviceAccess?.[0]?.tier),
      Number((await admin('/api/admin/users/stats')).premiumUsers),
    ];
    expect(await inLists()).to.deep.equal(['pro', Number(before) + 1]);

    const { currentPeriodEnd } = (await get(user, '/api/subscription')).body;
    service().clock.advance(Number(currentPeriodEnd) * 1_000 + 1_000 - service().clock.now());
    user = await signInAgain(user);
    const { status, body } = await get(user, '/api/subscription');
    expect([status, String(body.code)]).to.deep.equal([404, 'no_active_subscription']);
    await until(async () => (await tierOf(user)) === 'free');
    expect(await inLists()).to.deep.equal(['free', Number(before)]);
  });
});
