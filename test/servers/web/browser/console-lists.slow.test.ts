import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hasCount, hasFocus } from '../../../support/browser.ts';
import { until } from '../../../support/until.ts';
import { useConsole } from './open-console.ts';

describe('A list of the console', () => {
  const pages = useConsole();
  const { service } = pages;
  let page: Page;
  beforeEach(() => {
    page = pages.page();
  });
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));

  const open = async (path: string) => {
    await page.goto(`${service().consoleUrl}/${path}`);
    await page.locator('.list[aria-busy=false]').waitFor();
  };
  const focusedText = () => page.evaluate<string>('document.activeElement.textContent');
  const pagerLinks = () => page.locator('.pager a').allTextContents();

  it('has no link to a previous page on its first page', async () => {
    const { email } = await service().signUp();
    for (const path of [
      `users?prefix=${email}`,
      `audit?actor=${email}`,
      'mails?state=',
      'users?flag=&tier=',
    ]) {
      await open(path);
      expect(await pagerLinks(), path).to.deep.equal([]);
    }
  });

  it('labels its pages `Previous` and `Next`, since lists differ in their order', async () => {
    await page.route('**/api/admin/mails**', (route) =>
      route.fulfill({ json: { mails: [], cursor: 'next' } }),
    );
    await open('mails?cursor=x');
    expect(await pagerLinks()).to.deep.equal(['‹ Previous', 'Next ›']);
    await page.getByLabel('Language').selectOption('pl');
    await page.getByRole('link', { name: 'Następna ›' }).waitFor();
  });

  it('says on an empty later page that this page is empty, not the list', async () => {
    await page.route('**/api/admin/{mails,deliveries}**', (route) =>
      route.fulfill({ json: { mails: [], deliveries: [], emails: {} } }),
    );
    for (const path of ['mails', 'deliveries?standing=dead']) {
      const url = new URL(path, service().consoleUrl);
      url.searchParams.set('cursor', 'x');
      await open(url.pathname.slice(1) + url.search);
      expect(await page.locator('.empty').textContent()).to.equal('This page of the list is empty.');
      await page.getByRole('link', { name: '‹ Previous' }).click();
      await page.getByText(/^No (emails are waiting|deliveries with this status)\.$/).waitFor();
    }
  });

  it('moves the focus to the next row, or else to the heading, when a retried row is gone', async () => {
    const emailOf = (number: number) => `reader${number}@example.com`;
    const rows = [1, 2].map((number) => ({
      ...{ id: String(number), state: 'dead', userId: 'a', to: emailOf(number), template: 'verify' },
      ...{ createdAt: '2026-11-20T08:00:00.000Z', tries: 9, dueAt: null, lastFailure: 'No answer' },
    }));
    await page.route('**/api/admin/mails', (route) => route.fulfill({ json: { mails: rows } }));
    await page.route('**/api/admin/mails/*/retry', (route) => {
      rows.shift();
      return route.fulfill({ json: { count: 1 } });
    });
    const retry = async (number: number) => {
      await page.getByRole('button', { name: `Retry: verify, ${emailOf(number)}` }).press('Enter');
      await page.getByLabel('Reason').fill('The mailbox works again');
      await page.getByRole('button', { name: 'Retry', exact: true }).press('Enter');
      await hasCount(page.getByText(emailOf(number)), 0);
    };
    await open('mails');
    await retry(1);
    await until(async () => (await focusedText()) === emailOf(2));
    await retry(2);
    await hasFocus(page, 'tagName', 'H1');
  });

  it('keeps the focus when `Try again` has read it', async () => {
    let status = 429;
    await page.route('**/api/admin/keys', (route) =>
      route.fulfill({ status, json: { code: 'rate_limited', keys: [] } }),
    );
    await page.goto(`${service().consoleUrl}/keys`);
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    await tryAgain.waitFor();
    status = 200;
    await tryAgain.press('Enter');
    await page.getByText('No keys.').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).to.not.equal('BODY');
  });

  it('scrolls a focused row below the head of the table, which stays in the window', async () => {
    const users = Array.from({ length: 50 }, (_, number) => ({
      ...{ id: String(number), email: `user${number}@example.com`, displayName: null, tier: 'free' },
      ...{ isPremium: false, verified: true, twoFactor: false, banned: null, disabled: null, operator: null },
      createdAt: '2026-11-20T08:00:00.000Z',
    }));
    await page.route('**/api/admin/directory', (route) => route.fulfill({ json: { users } }));
    await open('users');
    await page.locator('tbody a').last().focus();
    const space = `document.activeElement.getBoundingClientRect().top -
      document.querySelector('thead th').getBoundingClientRect().bottom`;
    for (let rows = 0; rows < 40; rows += 1) {
      await page.keyboard.press('Shift+Tab');
      expect(await page.evaluate(space), await focusedText()).to.be.above(0);
    }
  });

  it('refuses a date that is too late, such as one with a mistyped year', async () => {
    for (const query of ['until=275760-09-13', 'since=20266-11-30']) {
      await page.goto(`${service().consoleUrl}/audit?${query}`);
      await page.getByText('Choose a date.').waitFor();
      await hasCount(page.getByRole('table'), 0);
    }
  });

  it('applies the typed prefix when a filter is chosen, unless the prefix is too short', async () => {
    const { email } = await service().signUp();
    await open('users');
    const search = page.getByLabel('Email begins with');
    await search.fill(email);
    await page.getByLabel('Tier', { exact: true }).selectOption('free');
    await page.waitForURL((url) => url.searchParams.get('prefix') === email);
    await hasCount(page.getByRole('row'), 2);
    expect(new URL(page.url()).searchParams.get('tier')).to.equal('free');
    await search.fill('a');
    await page.getByLabel('Status', { exact: true }).selectOption('unverified');
    await page.getByText('Enter at least two characters.').waitFor();
    await page.waitForURL((url) => url.searchParams.get('flag') === 'unverified');
    expect(new URL(page.url()).searchParams.get('prefix')).to.equal(email);
  });

  it('shows how far the search got: a time with its zone, or a whole email', async () => {
    const searchedTo: Readonly<Record<string, string>> = {
      directory: '2024-10-10-party-of-many@example.com',
      audit: '2026-11-30T20:47:10.000Z',
    };
    await page.route('**/api/admin/{directory,audit}?**', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
      return route.fulfill({
        json: { users: [], rows: [], emails: {}, cursor: 'next', searchedTo: searchedTo[name] },
      });
    });
    await open('users?prefix=20');
    const sentence = () => page.locator('.empty p').textContent();
    expect(await sentence()).to.include('as far as 2024-10-10-party-of-many@example.com.');
    await open('audit?action=user.banned');
    expect(await sentence()).to.include('as far as 2026-11-30 20:47 UTC.');
  });
});
