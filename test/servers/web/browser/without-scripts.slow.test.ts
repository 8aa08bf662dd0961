import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hasCount, stopAnimations } from '../../../support/browser.ts';
import { violations } from '../screens.ts';
import { usePages } from './open-pages.ts';

const ADVICE = {
  'en-GB': 'Allow scripts from this site in the settings of your browser',
  'pl-PL': 'Zezwól tej witrynie na skrypty w ustawieniach przeglądarki',
} as const;
const METHODS = {
  'en-GB': ['your email and password', 'a passkey', 'your account at Example ID'],
  'pl-PL': ['e-mailem i hasłem', 'kluczem dostępu', 'kontem Example ID'],
} as const;

describe('The account pages without scripts', () => {
  const pages = usePages();

  const check = async (page: Page, locale: keyof typeof METHODS) => {
    await page.getByText(ADVICE[locale]).waitFor();
    expect(await page.locator('.scriptless li').allTextContents()).to.deep.equal(METHODS[locale]);
  };

  for (const locale of ['en-GB', 'pl-PL'] as const)
    it(`show advice at once, and on the sign-in page the sign-in methods, in ${locale}`, async () => {
      await pages.begin(undefined, {
        locale,
        javaScriptEnabled: false,
        viewport: { width: 390, height: 800 },
      });
      await pages.page().goto(`${pages.origin()}/account/sign-in`);
      await check(pages.page(), locale);
      await pages.page().goto(`${pages.origin()}/account/security`);
      await pages.page().getByText(ADVICE[locale]).waitFor();
      await hasCount(pages.page().locator('.scriptless li'), 0);
    });

  it('show advice after a while if scripts do not load', async () => {
    await pages.begin();
    await stopAnimations(pages.page());
    await pages.context().route('**/*.js', (route) => route.abort());
    await pages.page().goto(`${pages.origin()}/account/sign-in`);
    const text = pages.page().getByText(ADVICE['en-GB']);
    expect(await text.isVisible()).to.equal(false);
    await pages.page().evaluate('document.getAnimations().forEach((animation) => animation.finish())');
    await check(pages.page(), 'en-GB');
    expect(await violations(pages.page())).to.deep.equal([]);
  });
});
