import { expect } from 'chai';
import { DEFAULT_COLOUR } from '../../../../core/branding/index.ts';
import { checkoutPage, portalPage } from '../../../../servers/accounts/sandbox-pages.ts';
import { makeErrorPages } from '../../../../servers/http/page/error-page.ts';
import { makePages } from '../../../../servers/http/page/page.ts';
import { openPage, useBrowser } from '../../../support/browser.ts';
import { ask, type Started, startApp } from '../../http/start-app.ts';
import { CHECKED_VARIANTS, overflow, violations } from '../screens.ts';

const subscription = {
  ...{ id: 'a', name: 'Pro', amount: 999, cycle: 'monthly', status: 'active' },
  ...{ periodEnd: Date.UTC(2030, 0, 2), cancelAtPeriodEnd: false, live: true },
};

const brandingOf = (brandColour: string) => ({
  ...{ productName: 'Drop', brandColour, signInPath: '/account/sign-in' },
  ...{ supportUrl: 'https://a.example/', termsUrl: 'https://b.example/', privacyUrl: 'https://c.example/' },
});

/** The pages of the billing sandbox. */
const screens = (language: 'en' | 'pl', colour: string): readonly (readonly [string, string])[] => {
  const page = makePages(brandingOf(colour));
  const render = (content: Parameters<typeof page>[0]) => String(page(content).body);
  const context = { token: 't', language };
  const email = 'ada@example.com';
  const returnUrl = 'https://app.example/';
  const portal = { email, returnUrl };
  const checkout = { email, returnUrl, product: subscription, isSubscribed: false };
  return [
    ['the checkout', render(checkoutPage(checkout, context))],
    ['the checkout of a subscriber', render(checkoutPage({ ...checkout, isSubscribed: true }, context))],
    [
      'the portal',
      render(portalPage({ ...portal, subscriptions: [subscription, { ...subscription, id: 'b' }] }, context)),
    ],
    ['an empty portal', render(portalPage({ ...portal, subscriptions: [] }, context))],
  ];
};

describe('The error pages and the billing sandbox', () => {
  const browser = useBrowser();
  let app: Started;
  before(async () => {
    const branding = brandingOf(DEFAULT_COLOUR);
    app = await startApp([], { errorPage: makeErrorPages(branding, makePages(branding)) });
  });
  after(() => app.close());

  for (const { language, theme, width } of CHECKED_VARIANTS)
    it(`pass axe in ${language}, ${theme}, ${width} px`, async () => {
      const { page, context } = await openPage(browser(), {
        ...{ colorScheme: theme, locale: language, viewport: { width, height: 800 }, bypassCSP: true },
      });
      const headers = { Accept: 'text/html', 'Accept-Language': language };
      const refusal = ['a refusal', (await ask(`${app.url}/nowhere`, { headers })).text] as const;
      const colours = [DEFAULT_COLOUR, '#ffcc00'];
      for (const [name, html] of [refusal, ...colours.flatMap((colour) => screens(language, colour))]) {
        await page.setContent(html);
        expect(await violations(page), name).to.deep.equal([]);
        expect(await overflow(page), name).to.be.at.most(0);
      }
      await context.close();
    });

  it('obey their content security policy, and show the focus', async () => {
    const { page, context, complaints } = await openPage(browser());
    const reply = await page.goto(`${app.url}/nowhere`);
    expect(reply?.status()).to.equal(404);
    await page.keyboard.press('Tab');
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outline');
    expect(outline).to.equal('rgb(47, 85, 212) solid 2px');
    // The browser reports nothing but the 404.
    expect(complaints.filter((text) => !text.includes('404'))).to.deep.equal([]);
    await context.close();
  });
});
