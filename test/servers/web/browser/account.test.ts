import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hasCount } from '../../../support/browser.ts';
import type { User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { codeAt } from '../../accounts/second-factor/factor.ts';
import { usePages } from './open-pages.ts';

/** Delays the decoding of each picture until the test finishes it or lets it fail. */
const DELAY_DECODING = `{
  const read = createImageBitmap;
  window.createImageBitmap = (file) => new Promise((resolve, reject) => {
    const finish = async () => resolve(window.bitmap = await read(file));
    reads.push({ finish, fail: () => reject(new Error('No picture')) });
  });
  window.reads = [];
}`;

describe('The account pages', () => {
  const pages = usePages();
  const { button, fill, service } = pages;
  let page: Page;
  let user: User;
  beforeEach(async () => {
    user = await service().signUp();
    await pages.begin(user);
    page = pages.page();
  });
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));

  const open = async (path: string) => {
    await pages.open(path);
    await page.locator('main.account .card').first().waitFor();
  };

  it('redirect visitors to the sign-in and back', async () => {
    await pages.context().clearCookies();
    await page.goto(`${pages.origin()}/account/sessions`);
    await page.waitForURL('**/account/sign-in?next=/account/sessions');
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await page.getByText('This device').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/account/sessions');
  });

  it('show a name with markup as text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    await open('/account');
    await fill('Name', name);
    await button('Save').click();
    await page.getByText('Saved').waitFor();
    // The home page redirects to the account.
    await page.goto(pages.origin());
    await page.waitForURL('**/account');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal(name);
    await hasCount(page.locator('main img'), 0);
  });

  it('show a name in the direction of its letters, also in its field', async () => {
    await open('/account');
    await fill('Name', 'עדה (Ada)!');
    const name = page.getByLabel('Name', { exact: true });
    expect(await name.evaluate((element) => element.matches(':dir(rtl)'))).to.equal(true);
  });

  it('save the language for the account', async () => {
    await open('/account/security');
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByLabel('Language').selectOption('pl');
    expect((await saved).status()).to.equal(200);
    const { body } = await service().request('GET', '/api/auth/me', { token: user.token });
    expect(body.user).to.include({ language: 'pl' });
  });

  it('keep the brand whole beside a long email, and show the whole email on focus', async () => {
    const long = await service().signUp({ email: `${'a-long-name.'.repeat(5)}kay@example.com` });
    await pages.begin(long, { viewport: { width: 768, height: 800 } });
    page = pages.page();
    await open('/account');
    const [isBrandWhole, tooltip] = await page.evaluate<[boolean, string]>(`(() => {
      const name = document.querySelector('.brand span');
      const email = document.querySelector('.who');
      email.focus();
      return [name.scrollWidth <= name.clientWidth, getComputedStyle(email, '::after').content];
    })()`);
    expect(isBrandWhole).to.equal(true);
    expect(tooltip).to.include(long.email);
  });

  it('link the deletion from the profile, and have their navigation in one row on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open('/account');
    const row = page.getByRole('navigation').getByRole('list');
    const height = await row.evaluate<number, { readonly offsetHeight: number }>(
      ({ offsetHeight }) => offsetHeight,
    );
    expect(height).to.be.below(60);
    await page.getByRole('main').getByRole('link', { name: 'Delete account' }).click();
    await page.getByText('When you delete your account, you lose:').waitFor();
    await hasCount(page.locator('.side [aria-current=page]'), 1);
  });

  it('show an uploaded picture, also after a reload, and remove it', async () => {
    await open('/account');
    const buffer = await page.screenshot();
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await button('Save picture').click();
    await page.getByText('Picture changed').waitFor();
    const waitForPicture = async () => {
      await page.locator('.avatar img').waitFor();
      // Rejects if the picture cannot be decoded.
      await page.evaluate('document.querySelector(".avatar img").decode()');
    };
    await waitForPicture();
    await page.reload();
    await waitForPicture();
    await hasCount(page.getByText('on another site'), 0);
    await button('Remove').click();
    await page.getByText('Picture removed').waitFor();
    await hasCount(page.locator('.avatar img'), 0);
  });

  /** Chooses a picture, and waits until the browser has begun the read with this number. */
  const choosePicture = async (number: number) => {
    const buffer = await page.screenshot();
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await until(async () => (await page.evaluate('reads.length')) === number);
  };

  it('discard a picture if its dialog is closed before the browser has read it', async () => {
    await open('/account');
    await page.evaluate(DELAY_DECODING);
    const uploads: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/avatar')) uploads.push(request.method());
    });
    /** Cancels, and runs the script as soon as the dialog is removed. */
    const cancelBefore = (script: string) =>
      page.evaluate(`new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('dialog') !== null) return;
          observer.disconnect();
          resolve(${script});
        });
        observer.observe(document, { childList: true, subtree: true });
        [...document.querySelectorAll('dialog button')].find(({ textContent }) => textContent === 'Cancel').click();
      })`);
    await choosePicture(1);
    await button('Cancel').waitFor();
    await cancelBefore('reads[0].fail()');
    // An upload would be sent before the profile is saved.
    await button('Save').click();
    await page.getByText('Saved').waitFor();
    expect(uploads).to.deep.equal([]);
    await choosePicture(2);
    await button('Cancel').waitFor();
    await cancelBefore('reads[1].finish()');
    // A closed bitmap has no width.
    expect(await page.evaluate('bitmap.width')).to.equal(0);
  });

  it('keep `Save picture` disabled until the picture is shown', async () => {
    await open('/account');
    await page.evaluate(DELAY_DECODING);
    await choosePicture(1);
    const save = button('Save picture');
    expect(await save.getAttribute('aria-disabled')).to.equal('true');
    await page.evaluate('reads[0].finish()');
    await save.and(page.locator(':not([aria-disabled])')).click();
    await page.getByText('Picture changed').waitFor();
  });

  it('offer to copy only if the browser has a clipboard, which it lacks over plain http', async () => {
    await open('/account/security/two-factor');
    await page.locator('main code').waitFor();
    await hasCount(button('Copy'), 1);
    await page.addInitScript('delete Navigator.prototype.clipboard');
    await open('/account/security/two-factor');
    await page.locator('main code').waitFor();
    await hasCount(button('Copy'), 0);
  });

  it('turn the second factor on in three steps, and off again', async () => {
    await open('/account/security/two-factor');
    const key = (await page.locator('main code').innerText()).replaceAll(' ', '');
    await button('Continue').click();
    await button('Show the QR code').click();
    expect((await page.locator('main code').innerText()).replaceAll(' ', '')).to.equal(key);
    await button('Continue').click();
    await fill('Code from your authenticator app', codeAt(key, service().clock.now()));
    await button('Continue').click();
    await button('Download').waitFor();
    await hasCount(page.locator('.codes li'), 10);
    await button('Finish').press('Enter');
    expect(new URL(page.url()).pathname).to.equal('/account/security/two-factor');
    await page.getByLabel('I have saved my recovery codes').check();
    await button('Finish').click();
    await page.getByText('On', { exact: true }).waitFor();
    await button('Turn off').click();
    await fill('Code from your authenticator app, or a recovery code', '000000');
    await button('Turn off').click();
    await page.getByText('This code is wrong, or was used before.').waitFor();
    service().clock.advance(30_000);
    await fill('Code from your authenticator app, or a recovery code', codeAt(key, service().clock.now()));
    await button('Turn off').click();
    await page.getByText('Off', { exact: true }).waitFor();
  });

  it('show a new key after the setup of the second factor expired', async () => {
    await open('/account/security/two-factor');
    const key = await page.locator('main code').innerText();
    await button('Continue').click();
    service().clock.advance(901_000);
    await fill('Code from your authenticator app', '000000');
    await button('Continue').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('This setup has expired. Start again.').waitFor();
    const newKey = await page.locator('main code').innerText();
    expect(newKey).to.not.equal(key);
    await button('Continue').click();
    const code = codeAt(newKey.replaceAll(' ', ''), service().clock.now());
    await fill('Code from your authenticator app', code);
    await button('Continue').click();
    await button('Download').waitFor();
  });

  it('contain the email for password managers beside a new password', async () => {
    await open('/account/security');
    await button('Change password').click();
    expect(await page.locator('form [autocomplete=username]').inputValue()).to.equal(user.email);
  });

  it('label each button that shows a password with its text and its field', async () => {
    await open('/account/security');
    await button('Change password').click();
    await button('Show: New password').click();
    const names = ['Show: Current password', 'Hide: New password'];
    for (const name of names) await hasCount(button(name), 1);
  });

  it('ask for a fresh proof if a call needs it, and then repeat the call', async () => {
    service().clock.advance(601_000);
    await open('/account/security');
    await button('Change email').click();
    await fill('New email', 'kay.new@example.com');
    await button('Send the code').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await fill('Code from the new email', await service().codeFor('kay.new@example.com'));
    await button('Confirm').click();
    await page.getByText('kay.new@example.com').first().waitFor();
    await hasCount(dialog, 0);
  });

  it('close the dialog for a proof when the user leaves the page', async () => {
    service().clock.advance(601_000);
    await open('/account');
    await page.getByRole('link', { name: 'Security', exact: true }).click();
    await button('Change email').click();
    await fill('New email', 'kay.third@example.com');
    await button('Send the code').click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.goBack();
    await page.waitForURL(/\/account$/);
    await button('Save').first().waitFor();
    await hasCount(dialog, 0);
  });

  it('sign other devices out', async () => {
    await service().post('/api/auth/login', { email: user.email, password: user.password });
    await open('/account/sessions');
    await hasCount(page.locator('.row-list > li'), 3);
    const first = page.locator('.row-list > li').first();
    await first.getByText('This device').waitFor();
    await first.getByText('Active now').waitFor();
    await button('Sign out all other sessions').click();
    await page.getByText('All other sessions are signed out').waitFor();
    await hasCount(page.locator('.row-list > li'), 1);
  });

  it('show the whole user agent of a session', async () => {
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64) ${'Long/1.0 '.repeat(12)}Firefox/140.0`;
    const { email, password } = user;
    await service().post('/api/auth/login', { email, password }, { headers: { 'User-Agent': userAgent } });
    await open('/account/sessions');
    const row = page.locator('.row-list li').filter({ hasText: 'Firefox on Linux' });
    await row.getByText('Details').click();
    await row.getByText(userAgent).waitFor();
    expect(await row.locator('details').innerText()).to.include(userAgent);
  });

  it('list the session of an app even after the session that authorized it has ended', async () => {
    const ids = [1, 2, 3].map((number) => `0199a0b1-0000-7000-8000-00000000000${number}`);
    const [own, app, orphan] = ids;
    const at = new Date().toISOString();
    const view = { createdAt: at, lastUsedAt: at, userAgent: null, ip: '203.0.113.7', current: false };
    const sessions = [
      { ...view, id: orphan, givenBy: '0199a0b1-0000-7000-8000-000000000009' },
      { ...view, id: app, givenBy: own },
      { ...view, id: own, current: true },
    ];
    await page.route('**/api/auth/sessions', (route) => route.fulfill({ json: { sessions } }));
    await open('/account/sessions');
    const rows = page.locator('.row-list > li');
    await hasCount(rows, 3);
    await rows.nth(0).getByText('This device').waitFor();
    await rows.nth(1).getByText('App, from').waitFor();
    await hasCount(rows.nth(2).getByText('App, from'), 0);
  });

  it('count calendar days since a session was last used', async () => {
    await pages.begin(user, { timezoneId: 'UTC' });
    page = pages.page();
    await page.clock.setFixedTime('2030-05-20T10:00:00Z');
    await page.route('**/api/auth/sessions', async (route) => {
      const response = await route.fetch();
      const { sessions } = await response.json();
      const [first] = sessions;
      const json = { sessions: [{ ...first, lastUsedAt: '2030-05-18T14:00:00Z' }] };
      await route.fulfill({ response, json });
    });
    await open('/account/sessions');
    await pages.sees('Active 2 days ago');
  });

  it('buy a plan in the sandbox and show it', async () => {
    await open('/account/plan');
    await page.getByText('The most storage, for large files and teams.').waitFor();
    await hasCount(page.getByText(/^Save PLN\s.* a year$/), 0);
    await page.getByLabel('Yearly').check();
    await page
      .getByText(/^Save PLN\s.* a year$/)
      .first()
      .waitFor();
    await page.getByLabel('Monthly').check();
    await button('Choose Pro').click();
    await page.waitForURL('**/sandbox/billing/checkout/**');
    await button('Pay').click();
    await page.waitForURL('**/billing/success');
    const readSubscription = () => service().request('GET', '/api/subscription', { token: user.token });
    await until(async () => (await readSubscription()).status === 200);
    await open('/account/plan');
    await page.getByText('/ month').waitFor();
    await page.getByText('You are charged US$9.99').waitFor();
    await button('Manage plan').click();
    await page.waitForURL('**/sandbox/billing/portal/**');
    await hasCount(page.getByRole('heading', { level: 1 }), 1);
  });

  it('show the date of an exchange rate independent of the time zone', async () => {
    const { body } = await service().request('GET', '/api/billing/plans');
    const effectiveDate = String(body.plans?.[0]?.price?.exchange?.effectiveDate);
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    await pages.begin(user, { timezoneId: 'America/Los_Angeles' });
    page = pages.page();
    await open('/account/plan');
    const rate = page.getByText('converted at the rate of').first();
    expect(await rate.textContent()).to.include(`rate of ${format.format(new Date(effectiveDate))}`);
  });

  it('delete the account after its email is typed', async () => {
    await open('/account/delete');
    await fill(`Type ${user.email} to confirm`, 'other@example.com');
    await fill('Password', user.password);
    await button('Delete account').click();
    await page.getByText('This is not the email of the account.').waitFor();
    await fill(`Type ${user.email} to confirm`, user.email);
    await button('Delete account').click();
    await page.getByText('Your account is deleted.').waitFor();
    expect(await pages.context().cookies()).to.deep.equal([]);
  });
});
