import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useConsole } from './open-console.ts';

describe('A list of the operator console', () => {
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
  const pagerLinks = () => page.locator('.pager a').allTextContents();

  it('has no page before its first one, however its address is written', async () => {
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

  it('names its pages by their order, since mails begin with the oldest and found users with A', async () => {
    await page.route('**/api/admin/mails**', (route) =>
      route.fulfill({ json: { mails: [], cursor: 'next' } }),
    );
    await open('mails?cursor=x');
    expect(await pagerLinks()).to.deep.equal(['‹ Previous', 'Next ›']);
    await page.getByLabel('Language').selectOption('pl');
    await page.getByRole('link', { name: 'Następna ›' }).waitFor();
  });
});
