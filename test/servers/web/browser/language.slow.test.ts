import { expect } from 'chai';
import { stopAnimations } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import { person } from '../../../support/scripted-providers.ts';
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
  /** Chooses a language. The browser keeps the choice once the page shows it. */
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

  it('is the account’s after a sign-in in another browser, from the first word of its pages', async () => {
    await open('/account/sign-in');
    // Every heading that is drawn, whatever follows it.
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

  it('is the account’s at the next visit, and no word of another one is seen before', async () => {
    await signIn();
    // A machine that is busy takes the seconds after which the words show anyway.
    await stopAnimations(pages.page());
    const free = makeGate();
    await pages.context().route(/\/account\/files\/account\./, async (route) => {
      await free.isOpen;
      await route.continue();
    });
    await pages.page().goto(`${pages.origin()}/account/sessions`, { waitUntil: 'commit' });
    const heading = pages.page().getByRole('heading', { level: 1, includeHidden: true });
    await heading.waitFor({ state: 'attached' });
    expect(await heading.textContent()).to.equal('Sessions');
    await pages.page().locator('link[rel=stylesheet]').waitFor({ state: 'attached' });
    expect(await heading.isVisible()).to.equal(false);
    free.open();
    await pages.sees('Sesje');
    expect(await heading.isVisible()).to.equal(true);
  });

  it('is shown as it is where the scripts do not come', async () => {
    await signIn();
    await stopAnimations(pages.page());
    await pages.context().route(/\/account\/files\/account\./, (route) => route.abort());
    await pages.page().goto(`${pages.origin()}/account/sessions`);
    const heading = pages.page().getByRole('heading', { level: 1, name: 'Sessions', includeHidden: true });
    expect(await heading.isVisible()).to.equal(false);
    await pages.page().evaluate('document.getAnimations().forEach((one) => one.finish())');
    expect(await heading.isVisible()).to.equal(true);
  });

  it('is the choice of this browser before the account’s', async () => {
    await open('/account/sign-in');
    await choose('Language', 'pl');
    await choose('Język', 'en');
    await signIn();
    expect(await lang()).to.equal('en');
    await pages.page().reload();
    await pages.sees('Profile');
  });

  it('is that of the address before all others', async () => {
    await open('/account/sign-in');
    await choose('Language', 'pl');
    await signIn('?ui_locales=en');
    expect(await lang()).to.equal('en');
  });

  it('is that of the address also after the way through a provider, and for the first mail', async () => {
    pages.said.person = person({ subject: 'subject-6', email: 'zofia@example.com' });
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

  it('is the account’s where the address names none that there is', async () => {
    await signIn('?ui_locales=de%20fr');
    expect(await lang()).to.equal('pl');
    await open('/account?ui_locales=de');
    await pages.sees('Profil');
  });

  it('is the browser’s again after a sign-out', async () => {
    await signIn();
    await pages.button('Wyloguj się').click();
    await pages.page().waitForURL('**/account/sign-in');
    await pages.page().reload();
    await pages.sees('Forgot password?');
  });

  it('is that of the first mail to somebody who signs up', async () => {
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
