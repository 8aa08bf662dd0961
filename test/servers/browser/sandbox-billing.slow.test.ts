import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hasCount, openPage, useBrowser } from '../../support/browser.ts';
import { type User, useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const ACCEPT_JSON = { Accept: 'application/json' };

describe('The pages of the billing sandbox in a browser', () => {
  const service = useService({ SELF_ENTITLEMENT: 'ignore', PAGES: 'off' });
  const browser = useBrowser();

  const get = (user: User, path: string) =>
    service().request('GET', path, { token: user.token, headers: ACCEPT_JSON });
  const tierOf = async (user: User): Promise<string> => {
    const { body } = await get(user, '/api/auth/me');
    return String(body.user?.serviceAccess?.[0]?.tier ?? 'none');
  };
  const waitForTier = (user: User, tier: string) => until(async () => (await tierOf(user)) === tier);
  const waitForStatus = (user: User, status: string) =>
    until(async () => String((await get(user, '/api/subscription')).body.status) === status);
  const addressOf = async (user: User, path: string) => String((await get(user, path)).body.url);
  const openCheckout = async (page: Page, user: User) =>
    page.goto(await addressOf(user, '/api/billing/checkout?plan=pro&billingCycle=monthly'));
  const openPortal = async (page: Page, user: User) =>
    page.goto(await addressOf(user, '/api/billing/portal'));
  const press = async (page: Page, name: string) => {
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name, exact: true }).click();
    await loaded;
  };
  const buy = async (page: Page, user: User) => {
    await openCheckout(page, user);
    await press(page, 'Pay');
    await waitForTier(user, 'pro');
  };
  /** The user with new tokens: the old tokens expire when the clock advances. */
  const signInAgain = async ({ email, password, ...user }: User): Promise<User> => {
    const { body } = await service().post('/api/auth/login', { email, password });
    return { ...user, email, password, token: String(body.token), refreshToken: String(body.refreshToken) };
  };

  it('sell, change and end a plan without scripts', async () => {
    let user = await service().signUp();
    const { page, context, complaints } = await openPage(browser(), { javaScriptEnabled: false });
    await openCheckout(page, user);
    expect(await page.title()).to.equal('Checkout – Gatehouse');
    const text = await page.getByRole('main').innerText();
    expect(text).to.include('Pro').and.include('$9.99 a month').and.include(user.email);
    await page.getByLabel('Name on the card').fill('Grace Hopper');
    await press(page, 'Pay');
    expect(page.url()).to.equal(`${service().url}/billing/success`);
    await waitForTier(user, 'pro');

    await openPortal(page, user);
    await press(page, 'Renew');
    await press(page, 'Cancel');
    await waitForStatus(user, 'canceled');
    expect(await tierOf(user)).to.equal('pro');
    expect(await page.getByRole('main').innerText()).to.match(
      /Cancelled, ends on \d{1,2} [A-Z][a-z]+ \d{4}\./,
    );
    await hasCount(page.getByRole('button', { name: 'Cancel' }), 0);
    await press(page, 'Resume');
    await waitForStatus(user, 'active');
    await press(page, 'Cancel');
    await waitForStatus(user, 'canceled');

    const { currentPeriodEnd } = (await get(user, '/api/subscription')).body;
    service().clock.advance(Number(currentPeriodEnd) * 1_000 - service().clock.now() - DAY_MS);
    user = await signInAgain(user);
    expect(await tierOf(user)).to.equal('pro');
    service().clock.advance(DAY_MS + 1_000);
    user = await signInAgain(user);
    await until(async () => (await tierOf(user)) === 'free');
    await openPortal(page, user);
    expect(await page.getByRole('main').innerText()).to.include('Ended');
    await hasCount(page.getByRole('button'), 0);

    await buy(page, user);
    await openPortal(page, user);
    await press(page, 'End now');
    await waitForTier(user, 'free');
    await hasCount(page.getByRole('group'), 2);
    await page.getByRole('link', { name: 'Back to the app' }).click();
    await page.waitForURL(`${service().url}/billing/return`);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('work by keyboard alone, with a name for each field and button', async () => {
    const user = await service().signUp();
    const { page, context, complaints } = await openPage(browser());
    await openCheckout(page, user);
    /** The focused element as a screen reader announces it. */
    const focused = () => page.locator(':focus-visible').ariaSnapshot();
    for (const name of ['textbox "Card number"', 'textbox "Name on the card"', 'button "Pay"']) {
      await page.keyboard.press('Tab');
      expect(await focused()).to.include(name);
    }
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await loaded;
    await waitForTier(user, 'pro');
    await openPortal(page, user);
    for (const name of ['button "Cancel"', 'button "Renew"', 'button "End now"', 'link "Back to the app"']) {
      await page.keyboard.press('Tab');
      expect(await focused()).to.include(name);
    }
    await hasCount(page.getByRole('group', { name: 'Pro' }), 1);
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).to.deep.equal([
      'Your subscriptions',
    ]);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('fit a small screen with a long email', async () => {
    const user = await service().signUp({ email: `${'long'.repeat(15)}@${'example'.repeat(8)}.com` });
    const { page, context } = await openPage(browser(), { viewport: { width: 320, height: 640 } });
    await openCheckout(page, user);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0);
    await context.close();
  });

  it('expire after an hour', async () => {
    const user = await service().signUp();
    const address = await addressOf(user, '/api/billing/checkout?plan=pro&billingCycle=monthly');
    service().clock.advance(3_600_000);
    const { page, context } = await openPage(browser());
    expect((await page.goto(address))?.status()).to.equal(404);
    await context.close();
  });
});
