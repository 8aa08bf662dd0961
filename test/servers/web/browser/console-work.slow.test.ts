import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hasCount, hasFocus } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import type { User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { makeOperator, type TestOperator } from '../../console/console-client.ts';
import { ATTACK, auditRow } from '../console/answers.ts';
import { useConsole } from './open-console.ts';

describe('An operator at the console', () => {
  const pages = useConsole();
  const { button, choose, context, fill, operator, service } = pages;
  let page: Page;
  let user: User;
  beforeEach(async () => {
    page = pages.page();
    user = await service().signUp();
  });
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));

  const openUser = () => pages.openUser(user);
  const openUsers = async () => {
    await page.goto(`${service().consoleUrl}/users`);
    await page.getByRole('table').waitFor();
  };
  const isBanned = async () =>
    (await service().composition.accounts.operate.showUser(user.id)).banned?.inForce;
  /** Moves the focus by Tab to the element with the text. */
  const tabTo = async (text: string) => {
    const focusedText = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
    for (let steps = 0; steps < 60 && (await focusedText()).trim() !== text; steps += 1)
      await page.keyboard.press('Tab');
    expect((await focusedText()).trim()).to.equal(text);
  };

  it('finds, bans and unbans a user by keyboard alone, and sees both audit rows', async () => {
    await openUsers();
    await page.keyboard.press('/');
    await page.keyboard.type(user.email.slice(0, -2));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/users?prefix=*');
    // The head and the row of the user.
    await hasCount(page.getByRole('row'), 2);
    await tabTo(user.email);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/users/${user.id}`);
    await button('Restrict or delete').waitFor();
    // The page moves the focus to its heading one frame after it is shown.
    await hasFocus(page, 'tagName', 'H1');
    await tabTo('Restrict or delete ▾');
    await page.keyboard.press('Enter');
    await tabTo('Ban…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').focus();
    await page.keyboard.type(ATTACK);
    await tabTo('Ban');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    expect(await isBanned()).to.equal(true);
    const row = page.getByRole('row', { name: /user\.banned/ });
    await row.waitFor();
    expect(await row.textContent()).to.include(ATTACK);
    await hasCount(page.locator('main :is(img, script)'), 0);
    await tabTo('Unban');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').focus();
    await page.keyboard.type('A mistake');
    await tabTo('Unban');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /user\.unbanned/ }).waitFor();
    expect(await isBanned()).not.to.equal(true);
    // The pressed button was removed, so the focus moves to the next one.
    await until(async () => (await page.evaluate('document.activeElement.textContent')) === 'Export');
  });

  it('must enter a reason, sees its length, and keeps the focus after a cancellation', async () => {
    await openUser();
    await choose('Ban…');
    await button('Ban').click();
    await page.getByRole('alert').filter({ hasText: 'Enter a reason of 1 to 500 characters' }).waitFor();
    await hasCount(page.getByText('Recorded in the audit log.'), 0);
    await fill('Reason', 'Spam');
    await page.getByText('4 of 500').waitFor();
    // Screen readers would speak a description that changes at every key.
    const described = await page.getByLabel('Reason').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).to.not.include('4 of 500');
    // The focus must return within the task of the click, for users who continue by keyboard at once.
    const focused = button('Cancel').evaluate(async (cancel: { click(): void; ownerDocument: unknown }) => {
      const page = cancel.ownerDocument as { activeElement: { textContent: string } };
      cancel.click();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      return page.activeElement.textContent;
    });
    expect(await focused).to.equal('Restrict or delete ▾');
    expect(await isBanned()).not.to.equal(true);
  });

  it('sees the change of another operator before a ban, and can then ban', async () => {
    await openUser();
    await choose('Ban…');
    await fill('Reason', 'Spam');
    service().clock.advance(1_000);
    await service().composition.accounts.operate.setTier(user.id, { tier: 'pro' }, { actor: 'other' });
    await button('Ban').click();
    await page.getByText('This account has changed in the meantime.').waitFor();
    await page.getByText('Access: pro, by grant').waitFor();
    await button('Ban').click();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    expect(await isBanned()).to.equal(true);
  });

  it('sees that the account has changed after repeating a ban whose answer was lost', async () => {
    await openUser();
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await page.evaluate(`
      const { fetch } = window;
      window.fetch = async (request) => {
        window.fetch = fetch;
        await fetch(request);
        throw new TypeError('The answer is lost');
      };
    `);
    service().clock.advance(1_000);
    await button('Ban').click();
    await button('Try again').click();
    await page.getByRole('alert').getByText('This account has changed in the meantime.').waitFor();
    expect(await isBanned()).to.equal(true);
  });

  it('sees an error if a user cannot be read again, also after a change by another operator', async () => {
    await openUser();
    const TEXT = 'Too many attempts.';
    await page.route(new RegExp(`/api/admin/users/${user.id}$`), (route) =>
      route.fulfill({ status: 429, json: { code: 'rate_limited', message: 'Busy.' } }),
    );
    await button('Refresh').click();
    await page.getByText(TEXT).waitFor();
    await choose('Ban…');
    await fill('Reason', 'Spam');
    service().clock.advance(1_000);
    await service().composition.accounts.operate.setTier(user.id, { tier: 'pro' }, { actor: 'other' });
    await button('Ban').click();
    await page.getByRole('dialog').getByText(TEXT).waitFor();
    await hasCount(page.getByText('This account has changed in the meantime.'), 0);
  });

  it('sees the rows of an earlier filter as busy until the new rows arrive', async () => {
    await openUsers();
    const released = makeGate();
    await page.route('**/api/admin/directory?**', async (route) => {
      await released.isOpen;
      await route.continue();
    });
    await page.getByLabel('Tier', { exact: true }).selectOption('enterprise');
    await page.locator('.list[aria-busy=true] table').waitFor();
    released.open();
    await page.locator('.list[aria-busy=false]').waitFor();
    await hasCount(page.locator('.list table'), 0);
  });

  it('keeps the focus in a search field, and in the pager of a list', async () => {
    await openUsers();
    await page.keyboard.press('/');
    await page.keyboard.type(user.email.slice(0, -2));
    await page.keyboard.press('Enter');
    await hasCount(page.getByRole('row'), 2);
    await hasFocus(page, 'name', 'prefix');
    await page.goto(`${service().consoleUrl}/audit`);
    await page.locator('input[name=action]').fill('user.banned');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/audit?action=user.banned');
    await page.locator('.list[aria-busy=false]').waitFor();
    await hasFocus(page, 'name', 'action');
    await page.goBack();
    await until(async () => (await page.locator('input[name=action]').inputValue()) === '');

    const read = page.waitForResponse('**/api/admin/directory');
    await page.goto(`${service().consoleUrl}/users`);
    const { users } = await (await read).json();
    await page.route('**/api/admin/directory*', (route) =>
      route.fulfill({
        json: { users, ...(!route.request().url().includes('cursor') && { cursor: 'next' }) },
      }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Next ›' }).press('Enter');
    await page.waitForURL('**/users?cursor=next');
    await until(async () => (await page.evaluate('document.activeElement.textContent')) === '‹ Previous');
  });

  it('sees no error for a prefix that no email can have', async () => {
    await page.goto(`${service().consoleUrl}/users?prefix=kay%20lee%40`);
    await page.getByText('No email begins with').waitFor();
    await hasCount(page.getByRole('alert'), 0);
  });

  it('sees no `Try again` button for an error that persists', async () => {
    await page.goto(`${service().consoleUrl}/audit?actor=user%3Akay%20lee%40&cursor=x`);
    await page.getByRole('alert').waitFor();
    await hasCount(button('Try again'), 0);
  });

  it('can write a reason of 500 characters of two code units', async () => {
    await openUser();
    await choose('Ban…');
    await page.getByRole('dialog').getByLabel('Reason').focus();
    await page.keyboard.insertText('😀'.repeat(501));
    await page.getByText('501 of 500').waitFor();
    await button('Ban').click();
    await page.getByText('Enter a reason of 1 to 500 characters').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.getByText('500 of 500').waitFor();
    await button('Ban').click();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    expect(await isBanned()).to.equal(true);
  });

  it('sees an error if the browser denies the clipboard', async () => {
    await openUser();
    await page.evaluate("navigator.clipboard.writeText = async () => { throw new Error('Denied'); }");
    await button('Copy: Email').click();
    await page.getByText('Not copied: the browser does not allow it.').waitFor();
    await hasCount(button('Copied: Email'), 0);
  });

  it('proves again if the proof is stale, and the ban is completed', async () => {
    await openUser();
    service().clock.advance(601_000);
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Password', { exact: true }).fill('another password');
    await proof.getByLabel('Code from your authenticator app').fill(operator().app.fresh());
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await proof.getByText('This is not your current password.').waitFor();
    await proof.getByLabel('Password', { exact: true }).fill(operator().user.password);
    await proof.getByLabel('Code from your authenticator app').fill(operator().app.fresh());
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    expect(await isBanned()).to.equal(true);
  });

  it('bans for the chosen duration even if the clock of the browser is wrong', async () => {
    await page.clock.setFixedTime(new Date(Date.now() - 3 * 86_400_000));
    await openUser();
    await choose('Ban…');
    await page.getByLabel('Duration').selectOption('1 day');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    const { banned } = await service().composition.accounts.operate.showUser(user.id);
    expect(Date.parse(banned?.until ?? '') - Date.now()).to.be.within(86_400_000 - 60_000, 86_400_000);
  });

  it('sees an error for a tier that the settings no longer have', async () => {
    await openUser();
    await page.route('**/tier', (route) =>
      route.fulfill({ status: 400, json: { code: 'unknown_tier', message: 'No.' } }),
    );
    await button('Set tier').click();
    await fill('Reason', 'A test');
    await page.getByRole('dialog').getByRole('button', { name: 'Set tier' }).click();
    expect(await page.getByRole('alert').textContent()).to.include('This tier doesn’t exist.');
  });

  it('sees the end of a ban as a time in UTC', async () => {
    const { operate } = service().composition.accounts;
    const end = new Date(Math.ceil(service().clock.now() / 86_400_000) * 86_400_000 + 86_400_000);
    await operate.ban(user.id, { reason: 'Spam', until: end.getTime() }, { actor: 'other' });
    await openUser();
    const shown = `${end.toISOString().slice(0, 10)} 00:00`;
    expect(await page.locator('.states').textContent()).to.include(`Banned until ${shown} UTC`);
    expect(await page.getByRole('alert').textContent()).to.include(`– ${shown} UTC`);
  });

  it('sees heading and title with the focus on the page of a user who cannot be read', async () => {
    await openUsers();
    await page.route(`**/api/admin/users/${user.id}`, (route) =>
      route.fulfill({ status: 429, json: { code: 'rate_limited', message: 'Busy.' } }),
    );
    await page.getByRole('link', { name: user.email }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('heading', { level: 1, name: 'User', exact: true }).waitFor();
    await hasFocus(page, 'tagName', 'H1');
    expect(await page.title()).to.match(/^User – /);
    await page.unroute(`**/api/admin/users/${user.id}`);
    await button('Try again').click();
    await page.getByRole('heading', { level: 1, name: user.email }).waitFor();
    await hasFocus(page, 'tagName', 'H1');
  });

  it('sees only the last copied field as copied', async () => {
    await context().grantPermissions(['clipboard-write']);
    await openUser();
    await button('Copy: Email').click();
    await button('Copied: Email').waitFor();
    await button('Copy: ID').click();
    await button('Copied: ID').waitFor();
    await hasCount(button('Copy: Email'), 1);
  });

  it('sees errors for direction controls in a reason, and for a role that is too low', async () => {
    await openUser();
    await choose('Ban…');
    await fill('Reason', 'Spam, \u2067as they wrote\u2069');
    await button('Ban').click();
    await page.getByText('Enter a reason of 1 to 500 characters, without hidden formatting marks.').waitFor();
    await page.route('**/ban', (route) =>
      route.fulfill({ status: 403, json: { code: 'operators_only', message: 'No.' } }),
    );
    await button('Ban').click();
    expect(await page.getByRole('alert').textContent()).to.include(
      'You are not an operator, or your role is too low.',
    );
  });

  it('sets a storage limit such as 1 TB, and sees an error for `1,024 GB`', async () => {
    await openUser();
    await button('Set tier').click();
    await fill('Storage, such as 1 TB', '1,024 GB');
    await fill('Reason', 'A large customer');
    await page.getByRole('dialog').getByRole('button', { name: 'Set tier' }).click();
    await page.getByText(/^Enter a size such as 500 GB or 1 TB/).waitFor();
    await fill('Storage, such as 1 TB', '1 TB');
    await page.getByRole('dialog').getByRole('button', { name: 'Set tier' }).click();
    await page.getByRole('status').filter({ hasText: 'Tier set' }).waitFor();
    const { entitlements } = await service().composition.accounts.operate.showUser(user.id);
    expect(entitlements[0]?.customStorageLimit).to.equal(1_000_000_000_000);
    expect(
      await page.locator('.definition dt', { hasText: 'Storage' }).locator('+ dd').textContent(),
    ).to.equal('1 TB');
  });

  it('cannot set the limit of API keys to a text that is not a whole number', async () => {
    const { operate } = service().composition.accounts;
    const limitOf = async () => (await operate.showUser(user.id)).entitlements[0]?.customApiKeyLimit;
    await operate.setTier(user.id, { tier: 'pro', customApiKeyLimit: 5 }, { actor: 'other' });
    await openUser();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Set tier' });
    for (const text of ['many', '1,000', '1e999']) {
      await button('Set tier').click();
      await fill('API keys', text);
      await fill('Reason', 'A large customer');
      await submit.click();
      await page.getByText('Enter a size such as 500 GB or 1 TB, and API keys as a whole number.').waitFor();
      expect(await limitOf(), text).to.equal(5);
      await button('Cancel').click();
      await hasCount(dialog, 0);
    }
    await button('Set tier').click();
    await fill('API keys', '1000');
    await fill('Reason', 'A large customer');
    await submit.click();
    await page.getByRole('status').filter({ hasText: 'Tier set' }).waitFor();
    expect(await limitOf()).to.equal(1_000);
  });

  it('closes a menu by Escape and by a click elsewhere', async () => {
    await openUsers();
    const menu = button(`Signed in as ${operator().user.email}`);
    await menu.click();
    expect(await page.locator('.menu-list').textContent()).to.include(operator().user.email);
    await page.keyboard.press('Escape');
    await hasCount(button('Sign out'), 0);
    expect(await page.evaluate('document.activeElement.ariaExpanded')).to.equal('false');
    await page.keyboard.press('Enter');
    await tabTo('Sign out');
    await page.getByRole('heading', { level: 1 }).click();
    await hasCount(button('Sign out'), 0);
  });

  it('closes the navigation of a phone by Escape, by the focus elsewhere, and by a choice', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${service().consoleUrl}/users?tier=free`);
    await page.locator('.cards').waitFor();
    const menu = button('Menu');
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    const openMenu = async () => {
      await menu.press('Enter');
      await hasCount(links, 8);
    };
    await openMenu();
    await page.keyboard.press('Escape');
    await hasCount(links, 0);
    expect(await menu.evaluate((element) => element.matches(':focus'))).to.equal(true);
    await openMenu();
    // Below the open list nobody would see which field has the focus.
    await page.getByLabel('Email begins with').focus();
    await hasCount(links, 0);
    await openMenu();
    // The path of this page: only the query changes.
    await links.filter({ hasText: 'Users' }).press('Enter');
    await page.waitForURL('**/users');
    await hasCount(links, 0);
  });

  it('deletes an account after its email is typed', async () => {
    await openUser();
    await choose('Delete…');
    const email = `Type ${user.email} to confirm`;
    await fill(email, operator().user.email);
    await fill('Reason', 'Asked for it');
    await button('Delete account').click();
    await page.getByText('This is not the email of the account.').waitFor();
    await fill(email, user.email);
    await button('Delete account').click();
    await page.getByText('Deleted').first().waitFor();
    await page.getByRole('heading', { level: 1, name: user.email }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Users' }).waitFor();
    const result = await service()
      .composition.accounts.operate.showUser(user.id)
      .catch(({ code }) => code);
    expect(result).to.equal('user_not_found');
  });

  it('downloads the export of a user, and stays on the page of the user', async () => {
    await openUser();
    await button('Export').click();
    await fill('Reason', 'Asked for it');
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    expect((await download).suggestedFilename()).to.equal(`${user.id}.json`);
    await page.getByRole('status').filter({ hasText: 'Exported' }).waitFor();
    await hasCount(page.getByRole('dialog'), 0);
    await choose('Ban…');
    await page.getByRole('dialog').waitFor();
  });

  it('keeps the typed filters when the page changes its language', async () => {
    await page.goto(`${service().consoleUrl}/audit`);
    await fill('From (UTC)', '2026-01-02');
    await fill('Action, such as user.banned', 'user.banned');
    await page.getByLabel('Language').selectOption('pl');
    await page.locator('html[lang=pl]').waitFor();
    expect(await page.locator('[name=action]').inputValue()).to.equal('user.banned');
    expect(await page.locator('[name=since]').inputValue()).to.equal('2026-01-02');
    await page.goto(`${service().consoleUrl}/audit?since=2026-03-04`);
    expect(await page.locator('[name=since]').inputValue()).to.equal('2026-03-04');
  });

  const signIn = async (next: string, { user: { email, password }, app }: TestOperator) => {
    await page.goto(`${service().consoleUrl}/sign-in?next=${encodeURIComponent(next)}`);
    await fill('Email', email);
    await fill('Password', password);
    await page.keyboard.press('Enter');
    await fill('Code', app.fresh());
    await page.keyboard.press('Enter');
  };

  it('sees an error if older audit rows cannot be read, and reads them by `Try again`', async () => {
    const older = { ...auditRow, number: 3, reason: 'An older one' };
    let reads = 0;
    await page.route(`**/api/admin/users/${user.id}/audit**`, (route) => {
      reads += 1;
      if (reads === 1) return route.fulfill({ json: { rows: [auditRow], emails: {}, cursor: 'next' } });
      if (reads === 2)
        return route.fulfill({ status: 429, json: { error: 'Slow down.', code: 'rate_limited' } });
      return route.fulfill({ json: { rows: [older], emails: {} } });
    });
    await openUser();
    await button('Older ›').click();
    await page.getByRole('alert').waitFor();
    await button('Try again').click();
    await page.getByText('An older one').waitFor();
    await hasCount(page.locator('.sections tbody tr'), 2);
    await hasCount(page.getByRole('alert'), 0);
    await hasCount(button('Older ›'), 0);
  });

  it('sees the console in the language of the account, unless this browser has chosen another', async () => {
    const dev = await makeOperator(service(), 'dev');
    await service().request('PATCH', '/api/auth/me', { token: dev.user.token, body: { language: 'pl' } });
    await context().clearCookies();
    await signIn('/users', dev);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    await heading('Użytkownicy').waitFor();
    await page.reload();
    await heading('Użytkownicy').waitFor();
    await page.getByLabel('Język').selectOption('en');
    await heading('Users').waitFor();
    await page.reload();
    await heading('Users').waitFor();
    expect(await page.locator('html').getAttribute('lang')).to.equal('en');
  });

  it('is redirected to the home page after a sign-in with a malformed `next`', async () => {
    const dev = await makeOperator(service(), 'dev');
    for (const next of ['//', 'http://']) {
      await context().clearCookies();
      await signIn(next, dev);
      await button(`Signed in as ${dev.user.email}`).waitFor();
      expect(page.url()).to.equal(`${service().consoleUrl}/`);
    }
  });

  it('sees no button to end a founder’s sessions, as a dev', async () => {
    const dev = await makeOperator(service(), 'dev');
    const sessions = page.locator('.sections details').filter({ hasText: 'Sessions (' });
    const openSessions = async ({ id }: Pick<User, 'id'>) => {
      await page.goto(`${service().consoleUrl}/users/${id}`);
      await sessions.locator('summary').click();
      await sessions.getByText('127.0.0.1').first().waitFor();
    };
    await context().clearCookies();
    await signIn('/', dev);
    await page.waitForURL(`${service().consoleUrl}/`);
    await openSessions(user);
    expect(await sessions.getByRole('button').count()).to.equal(1);
    await openSessions(operator().user);
    expect(await sessions.getByRole('button').count()).to.equal(0);
  });

  it('sees the status of the service and the number of users', async () => {
    await page.goto(`${service().consoleUrl}/`);
    const line = page.getByRole('listitem').filter({ hasText: 'Account service' });
    expect(await line.textContent()).to.match(/Up$/);
    const users = page.getByRole('list', { name: 'Users now' });
    const { total } = await service().composition.accounts.operate.stats();
    expect(await users.getByRole('listitem').first().textContent()).to.match(new RegExp(`^Users${total}`));
  });

  it('stays signed in if the server refuses the sign-out, and can try again', async () => {
    await openUsers();
    const refusal = { status: 429, contentType: 'application/json', body: '{"code":"rate_limited"}' };
    await page.route('**/api/auth/logout', (route) => route.fulfill(refusal), { times: 1 });
    const refused = page.waitForResponse('**/api/auth/logout');
    await button(`Signed in as ${operator().user.email}`).click();
    await button('Sign out').click();
    await refused;
    const retry = button('Sign out').and(page.locator(':not([aria-disabled])'));
    await page.getByText('Too many attempts.').waitFor();
    await retry.waitFor();
    expect(new URL(page.url()).pathname).to.equal('/users');
    await retry.click();
    await page.waitForURL('**/sign-in');
    await page.goto(`${service().consoleUrl}/users`);
    await page.waitForURL('**/sign-in?next=%2Fusers');
  });

  it('is redirected to the sign-in after a dismissal', async () => {
    const { id } = operator().user;
    const { operate } = service().composition.accounts;
    const other = await makeOperator(service());
    await operate.dismiss(id, { actor: 'other' });
    await page.goto(`${service().consoleUrl}/mails`);
    await page.waitForURL('**/sign-in?next=%2Fmails');
    await hasCount(page.getByRole('alert'), 0);
    await operate.appoint(id, 'founder', { actor: 'other' });
    await operate.dismiss(other.user.id, { actor: 'other' });
  });

  it('finds the email still filled in after the sign-in has expired', async () => {
    await context().clearCookies();
    await page.goto(`${service().consoleUrl}/sign-in`);
    await fill('Email', operator().user.email);
    await fill('Password', operator().user.password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code', { exact: true }).waitFor();
    service().clock.advance(301_000);
    await fill('Code', operator().app.fresh());
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'This sign-in has expired. Sign in again.' }).waitFor();
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).to.equal(operator().user.email);
  });

  it('sees the sign-out of another tab, and the operator who signs in there', async () => {
    await openUsers();
    const tab = await context().newPage();
    await tab.goto(service().consoleUrl);
    await tab.getByRole('button', { name: `Signed in as ${operator().user.email}` }).click();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.waitForURL('**/sign-in');
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await pages.signIn();
    const dev = await makeOperator(service(), 'dev');
    await tab.getByLabel('Email', { exact: true }).fill(dev.user.email);
    await tab.getByLabel('Password', { exact: true }).fill(dev.user.password);
    await tab.keyboard.press('Enter');
    await tab.getByLabel('Code', { exact: true }).fill(dev.app.fresh());
    await tab.keyboard.press('Enter');
    await button(`Signed in as ${dev.user.email}`).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/users');
  });

  it('sees a dialog with a link to the sign-in after the session has expired', async () => {
    await openUser();
    service().clock.advance(31 * 60_000);
    await button('Refresh').click();
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForURL(`**/sign-in?next=%2Fusers%2F${user.id}`);
    await hasCount(page.getByRole('dialog'), 0);
  });
});
