import { expect } from 'chai';
import { stopAnimations } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import { providerIdentity } from '../../../support/scripted-providers.ts';
import type { User } from '../../../support/service.ts';
import { usePages } from './open-pages.ts';

describe('The language of the account pages', () => {
  const pages = usePages();
  const { fill, open, service } = pages;
  let user: User;
  beforeEach(async () => {
    user = await service().signUp();
    await service().request('PATCH', '/api/auth/me', { token: user.token, body: { language: 'pl' } });
    await pages.begin();
  });

  const lang = () => pages.page().locator('html').getAttribute('lang');
  /** Chooses a language. The browser has stored the choice once the page shows the language. */
  const choose = async (label: string, language: string) => {
    await pages.page().getByLabel(label).selectOption(language);
    await pages.page().locator(`html[lang=${language}]`).waitFor();
  };
  const signIn = async (query = '') => {
    await open(`/account/sign-in${query}`);
    await fill('Email', user.email);
    await fill('Password', user.password);
    await pages.button('Sign in').click();
    await pages.page().waitForURL(`${pages.origin()}/account`);
    await pages.page().locator('footer select').first().waitFor();
  };

  it('is that of the account after a sign-in in another browser, from the first heading', async () => {
    await open('/account/sign-in');
    // Records every heading, also those that are replaced at once.
    await pages.page().evaluate(`
      window.headings = [];
      new MutationObserver(() => {
        const text = document.querySelector('h1')?.textContent;
        if (text && !window.headings.includes(text)) window.headings.push(text);
      }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
    await fill('Email', user.email);
    await fill('Password', user.password);
    await pages.button('Sign in').click();
    await pages.sees('Profil');
    expect(await pages.page().evaluate('window.headings')).to.not.include('Profile');
    expect(await lang()).to.equal('pl');
  });

  it('is that of the account at the next visit, without a flash of another language', async () => {
    await signIn();
    // Otherwise the page would show its texts after some seconds, which a busy machine may exceed.
    await stopAnimations(pages.page());
    const released = makeGate();
    await pages.context().route(/\/account\/files\/account\./, async (route) => {
      await released.isOpen;
      await route.continue();
    });
    await pages.page().goto(`${pages.origin()}/account/sessions`, { waitUntil: 'commit' });
    const heading = pages.page().getByRole('heading', { level: 1, includeHidden: true });
    await heading.waitFor({ state: 'attached' });
    expect(await heading.textContent()).to.equal('Sessions');
    await pages.page().locator('link[rel=stylesheet]').waitFor({ state: 'attached' });
    expect(await heading.isVisible()).to.equal(false);
    released.open();
    await pages.sees('Sesje');
    expect(await heading.isVisible()).to.equal(true);
  });

  it('is that of the price of several months, too', async () => {
    await signIn();
    await pages.context().route('**/api/billing/plans', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const { price } of json.plans) price.interval = '3 months';
      await route.fulfill({ response, json });
    });
    await open('/account/plan');
    expect(await pages.page().locator('.price').first().textContent()).to.match(/ \/ 3\s+miesiące$/);
  });

  it('is that of the browser after a while if the scripts do not load', async () => {
    await signIn();
    await stopAnimations(pages.page());
    await pages.context().route(/\/account\/files\/account\./, (route) => route.abort());
    await pages.page().goto(`${pages.origin()}/account/sessions`);
    const heading = pages.page().getByRole('heading', { level: 1, name: 'Sessions', includeHidden: true });
    expect(await heading.isVisible()).to.equal(false);
    await pages.page().evaluate('document.getAnimations().forEach((animation) => animation.finish())');
    expect(await heading.isVisible()).to.equal(true);
  });

  it('is the one chosen in this browser rather than that of the account', async () => {
    await open('/account/sign-in');
    await choose('Language', 'pl');
    await choose('Język', 'en');
    await signIn();
    expect(await lang()).to.equal('en');
    await pages.page().reload();
    await pages.sees('Profile');
  });

  it('is that of `ui_locales` rather than all others', async () => {
    await open('/account/sign-in');
    await choose('Language', 'pl');
    await signIn('?ui_locales=en');
    expect(await lang()).to.equal('en');
  });

  it('is that of `ui_locales` also after a provider flow, and for the first mail', async () => {
    pages.idp.identity = providerIdentity({ subject: 'subject-6', email: 'zofia@example.com' });
    await open('/account/sign-in?ui_locales=pl');
    await pages.button('Kontynuuj przez Example ID').click();
    await pages.arrives('/account');
    await pages.sees('Profil');
    const { text } = await service().mailTo('zofia@example.com', 1);
    expect(text)
      .to.match(/\bkonto\b/i)
      .and.not.match(/\baccount\b/i);
    expect(await pages.page().evaluate('sessionStorage.length')).to.equal(0);
  });

  it('is that of the account if `ui_locales` names no supported language', async () => {
    await signIn('?ui_locales=de%20fr');
    expect(await lang()).to.equal('pl');
    await open('/account?ui_locales=de');
    await pages.sees('Profil');
  });

  it('is that of the browser after a sign-out', async () => {
    await signIn();
    await pages.button('Wyloguj się').click();
    await pages.page().waitForURL('**/account/sign-in');
    await pages.page().reload();
    await pages.sees('Forgot password?');
  });

  it('determines the language of the first mail at a sign-up', async () => {
    await open('/account/sign-up');
    await choose('Language', 'pl');
    await fill('E-mail', 'kasia@example.com');
    await fill('Hasło', 'correct horse battery');
    await pages.button('Utwórz konto').click();
    await pages.arrives('/account/verify');
    const { text } = await service().mailTo('kasia@example.com', 1);
    expect(text)
      .to.match(/kod/i)
      .and.not.match(/\bcode\b/i);
  });
});
