import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { hasCount } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import type { User } from '../../../support/service.ts';
import { useConsole } from './open-console.ts';

describe('The console with late answers', () => {
  const pages = useConsole();
  const { button, choose, fill, operator, service } = pages;
  let page: Page;
  let user: User;
  beforeEach(async () => {
    page = pages.page();
    user = await service().signUp();
    await pages.openUser(user);
  });

  /** Delays the next answer to such a request until it is released. */
  const delayAnswer = async (address: string | RegExp) => {
    const [requested, released] = [makeGate(), makeGate()];
    const answerLate = async (route: Route) => {
      const response = await route.fetch();
      requested.open();
      await released.isOpen;
      await route.fulfill({ response });
    };
    await page.route(address, answerLate, { times: 1 });
    return { isRequested: requested.isOpen, release: released.open };
  };

  it('keeps the dialog of an action open until its answer arrives', async () => {
    const late = await delayAnswer(/\/ban$/);
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    await late.isRequested;
    // A browser closes a dialog at the third Escape even if the page has refused the first two.
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
    await button('Cancel').click();
    await hasCount(page.getByRole('dialog'), 1);
    late.release();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    await hasCount(page.getByRole('dialog'), 0);
  });

  it('does not overwrite the result of an action by an earlier read', async () => {
    const late = await delayAnswer(new RegExp(`/api/admin/users/${user.id}$`));
    await button('Refresh').click();
    await late.isRequested;
    await choose('Ban…');
    await fill('Reason', 'Spam');
    await button('Ban').click();
    await button('Unban').waitFor();
    const lateResponse = page.waitForResponse(new RegExp(`/users/${user.id}$`));
    late.release();
    await (await lateResponse).finished();
    await button('Restrict or delete').click();
    await hasCount(button('Ban…'), 0);
    await hasCount(button('Unban'), 1);
  });

  it('polls the check of the audit log again after a failed request', async () => {
    const check = { checked: 1, rows: 9, startedAt: null, verdict: null };
    const done = {
      ...check,
      state: 'idle',
      verdict: { intact: true, rows: 9, erased: 0, head: null, broken: null },
    };
    let polls = 0;
    await page.route(/\/audit\/verify$/, (route) => {
      polls += 1;
      if (polls === 1) return route.fulfill({ json: { ...check, state: 'running' } });
      return polls === 2 ? route.abort() : route.fulfill({ json: done });
    });
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByText('The log is intact').waitFor();
    expect(polls).to.equal(3);
  });

  it('ignores the rows of an earlier filter', async () => {
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('table').waitFor();
    const late = await delayAnswer(/\/directory\?.*flag=operator/);
    const filter = page.locator('select[name=flag]');
    await filter.selectOption('operator');
    await late.isRequested;
    await filter.selectOption('disabled');
    await page.locator('.empty').waitFor();
    const lateResponse = page.waitForResponse(/flag=operator/);
    late.release();
    await (await lateResponse).finished();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    await hasCount(page.getByRole('table'), 0);
    await hasCount(page.locator('.empty'), 1);
  });

  it('ignores the texts of an earlier choice of language', async () => {
    const late = await delayAnswer(/\/pl\./);
    await page.getByLabel('Language').selectOption('pl');
    await late.isRequested;
    await page.getByLabel('Language').selectOption('en');
    const lateResponse = page.waitForResponse(/\/pl\./);
    late.release();
    await (await lateResponse).finished();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).to.equal('en');
  });

  it('closes the dialog for a proof if the session expires, and shows the sign-in', async () => {
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
