import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { hasCount } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import type { User } from '../../../support/service.ts';
import { useConsole } from './open-console.ts';

describe('At the console, what comes late', () => {
  const pages = useConsole();
  const { button, choose, fill, operator, service } = pages;
  let page: Page;
  let user: User;
  beforeEach(async () => {
    page = pages.page();
    user = await service().signUp();
    await pages.openUser(user);
  });

  /** Holds the next answer to such a request back until it is let go. */
  const hold = async (address: string | RegExp) => {
    const [asked, free] = [makeGate(), makeGate()];
    const answerLate = async (route: Route) => {
      const response = await route.fetch();
      asked.open();
      await free.isOpen;
      await route.fulfill({ response });
    };
    await page.route(address, answerLate, { times: 1 });
    return { isAsked: asked.isOpen, letGo: free.open };
  };

  it('of an act finds its dialog open, which nobody can leave meanwhile', async () => {
    const late = await hold(/\/ban$/);
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    await late.isAsked;
    await page.keyboard.press('Escape');
    await button('Cancel').click();
    await hasCount(page.getByRole('dialog'), 1);
    late.letGo();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    await hasCount(page.getByRole('dialog'), 0);
  });

  it('of a look before an act does not hide what the act did', async () => {
    const late = await hold(new RegExp(`/api/admin/users/${user.id}$`));
    await button('Refresh').click();
    await late.isAsked;
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    await button('Unban').waitFor();
    const taken = page.waitForResponse(new RegExp(`/users/${user.id}$`));
    late.letGo();
    await (await taken).finished();
    await button('Restrict or delete').click();
    await hasCount(button('Ban…'), 0);
    await hasCount(button('Unban'), 1);
  });

  it('of a walk through the audit log is looked for again where a look failed', async () => {
    const walk = { checked: 1, rows: 9, startedAt: null, verdict: null };
    const ended = {
      ...walk,
      state: 'idle',
      verdict: { intact: true, rows: 9, erased: 0, head: null, broken: null },
    };
    let looks = 0;
    await page.route(/\/audit\/verify$/, (route) => {
      looks += 1;
      if (looks === 1) return route.fulfill({ json: { ...walk, state: 'running' } });
      return looks === 2 ? route.abort() : route.fulfill({ json: ended });
    });
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByText('The log is intact').waitFor();
    expect(looks).to.equal(3);
  });

  it('of a filter does not stand under a later one', async () => {
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('table').waitFor();
    const late = await hold(/\/directory\?.*flag=operator/);
    const filter = page.locator('select[name=flag]');
    await filter.selectOption('operator');
    await late.isAsked;
    await filter.selectOption('disabled');
    await page.locator('.empty').waitFor();
    const taken = page.waitForResponse(/flag=operator/);
    late.letGo();
    await (await taken).finished();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    await hasCount(page.getByRole('table'), 0);
    await hasCount(page.locator('.empty'), 1);
  });

  it('of a language does not undo a later choice', async () => {
    const late = await hold(/\/pl\./);
    await page.getByLabel('Language').selectOption('pl');
    await late.isAsked;
    await page.getByLabel('Language').selectOption('en');
    const taken = page.waitForResponse(/\/pl\./);
    late.letGo();
    await (await taken).finished();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).to.equal('en');
  });

  it('of a proof is dropped with the session, and stands before no sign-in', async () => {
    service().clock.advance(601_000);
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.waitFor();
    service().clock.advance(31 * 60_000);
    await proof.getByLabel('Password', { exact: true }).fill(operator().user.password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await button('Sign in').waitFor();
    await hasCount(page.getByRole('dialog'), 0);
  });
});
