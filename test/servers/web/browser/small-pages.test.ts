import { expect } from 'chai';
import { DEFAULT_COLOUR } from '../../../../core/branding/index.ts';
import { checkoutPage, portalPage } from '../../../../servers/accounts/sandbox-pages.ts';
import { makeErrorPages } from '../../../../servers/http/page/error-page.ts';
import { makePages } from '../../../../servers/http/page/page.ts';
import { openPage, useBrowser } from '../../../support/browser.ts';
import { ask, type Started, startApp } from '../../http/start-app.ts';
import { overflow, SEEN_LOOKS, violations } from '../screens.ts';

const subscription = {
  ...{ id: 'a', name: 'Pro', amount: 999, cycle: 'monthly', status: 'active' },
  ...{ periodEnd: Date.UTC(2030, 0, 2), cancelAtPeriodEnd: false, live: true },
};

const lookOf = (brandColour: string) => ({
  ...{ productName: 'Drop', brandColour, signInPath: '/account/sign-in' },
  ...{ supportUrl: 'https://a.example/', termsUrl: 'https://b.example/', privacyUrl: 'https://c.example/' },
});

/** What the sandbox answers with. */
const screens = (language: 'en' | 'pl', colour: string): readonly (readonly [string, string])[] => {
  const page = makePages(lookOf(colour));
  const shown = (given: Parameters<typeof page>[0]) => String(page(given).body);
  const context = { token: 't', language };
  const email = 'ada@example.com';
  const returnUrl = 'https://app.example/';
  const portal = { email, returnUrl };
  const checkout = { email, returnUrl, product: subscription, isSubscribed: false };
  return [
    ['the checkout', shown(checkoutPage(checkout, context))],
    ['the checkout of a subscriber', shown(checkoutPage({ ...checkout, isSubscribed: true }, context))],
    [
      'the portal',
      shown(portalPage({ ...portal, subscriptions: [subscription, { ...subscription, id: 'b' }] }, context)),
    ],
    ['an empty portal', shown(portalPage({ ...portal, subscriptions: [] }, context))],
  ];
};

describe('Small pages', () => {
  const browser = useBrowser();
  let app: Started;
  before(async () => {
    const look = lookOf(DEFAULT_COLOUR);
    app = await startApp([], { errorPage: makeErrorPages(look, makePages(look)) });
  });
  after(() => app.close());

  for (const { language, theme, width } of SEEN_LOOKS)
    it(`have no fault that axe finds, in ${language}, ${theme}, ${width} px`, async () => {
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

  it('obey their own policy, and show where the focus is', async () => {
    const { page, context, complaints } = await openPage(browser());
    const reply = await page.goto(`${app.url}/nowhere`);
    expect(reply?.status()).to.equal(404);
    await page.keyboard.press('Tab');
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outline');
    expect(outline).to.equal('rgb(47, 85, 212) solid 2px');
    // The refusal itself is all that the browser complains of.
    expect(complaints.filter((one) => !one.includes('404'))).to.deep.equal([]);
    await context.close();
  });
});
