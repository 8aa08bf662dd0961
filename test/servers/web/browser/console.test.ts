import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { openPage, useBrowser } from '../../../support/browser.ts';
import { useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { makeOperator, type TestOperator } from '../../console/opened.ts';
import { ATTACK, answerReads, auditRow, ODD_EMAIL, user } from '../console/answers.ts';
import { faults, IS_LONG, overflow } from '../screens.ts';

const SCREENS = [
  '',
  'users',
  'users?prefix=ad&cursor=x',
  `users/${user.id}`,
  'audit',
  'mails',
  'deliveries',
  'jobs',
  'keys',
  'statistics?days=90',
];

describe('The pages of the operator console', function () {
  this.timeout(IS_LONG ? 600_000 : 120_000);
  const service = useService();
  const browser = useBrowser();
  let operator: TestOperator;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  before(async () => {
    operator = await makeOperator(service());
  });
  beforeEach(async () => {
    ({ context, page, complaints } = await openPage(browser(), { locale: 'en-GB', reducedMotion: 'reduce' }));
    await answerReads(page);
  });
  afterEach(async () => {
    // A page that is left drops what it was reading.
    const others = complaints.filter((one) => !/answered 4\d\d$|status of 4\d\d| failed$/.test(one));
    await context.close();
    expect(others).to.deep.equal([]);
  });

  const open = async (path: string) => {
    await page.goto(`${service().consoleUrl}/${path}`);
    await page.getByRole('contentinfo').waitFor();
    await until(async () => (await page.locator('.skeleton').count()) === 0);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const signIn = async () => {
    await fill('Email', operator.user.email);
    await fill('Password', operator.user.password);
    await button('Sign in').click();
    await fill('Code', operator.app.fresh());
    await button('Continue').click();
    await button('Sign out').waitFor();
  };

  /** Elements that no page of the console makes. */
  const markup = () => page.locator('main :is(img, script, iframe, a[href^="javascript"])').count();

  it('have no fault that axe finds, and make no markup of texts', async () => {
    await open('sign-in');
    const found = [...(await faults(page, 'sign-in'))];
    await page.getByLabel('Język').selectOption('en');
    // The looks ended with that of a telephone, whose menu is shut.
    await page.setViewportSize({ width: 1280, height: 800 });
    await signIn();
    for (const path of SCREENS) {
      await open(path);
      found.push(...(await faults(page, path)));
      expect(await markup(), path).to.equal(0);
    }
    expect(found).to.deep.equal([]);
  });

  it('show whatever people typed as text, also in what is folded up', async () => {
    await open('sign-in');
    await signIn();
    await page.setViewportSize({ width: 390, height: 800 });
    await open(`users/${user.id}`);
    for (const name of ['Sessions (2)', 'Billing', 'Mails'])
      await page.locator('summary', { hasText: name }).click();
    await page.locator('.sections details[open] :is(table, .cards)').nth(4).waitFor();
    await page.getByRole('heading', { level: 1, name: ODD_EMAIL }).waitFor();
    expect(await page.locator('bdi', { hasText: ATTACK }).count()).to.be.above(6);
    expect(await markup()).to.equal(0);
  });

  it('stand in line, whatever they hold and say', async () => {
    await open('sign-in');
    await signIn();
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ['mails', 'deliveries', 'jobs', 'keys']) {
      await open(path);
      const cards = page.locator('main .cards');
      await cards.waitFor();
      // As wide as a telephone of 390 px but for its edges.
      expect((await cards.boundingBox())?.width, path).to.equal(390 - 2 * 16);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Language').selectOption('pl');
    await page.locator('html[lang=pl]').waitFor();
    const rows = 'new Set([...document.querySelectorAll(".places a")].map((one) => one.offsetTop))';
    expect(await page.evaluate(`${rows}.size`)).to.equal(1);
  });

  it('are no wider than their window, in Polish and on a tablet', async () => {
    await open('sign-in');
    await signIn();
    await page.getByLabel('Language').selectOption('pl');
    await page.locator('html[lang=pl]').waitFor();
    const wide: string[] = [];
    for (const path of SCREENS) {
      await page.setViewportSize({ width: 768, height: 1_024 });
      await open(path);
      for (const width of [768, 820, 720, 1_040]) {
        await page.setViewportSize({ width, height: 1_024 });
        // What the size changes is drawn by then.
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
        const pixels = await overflow(page);
        if (pixels > 0) wide.push(`${path} at ${width}: ${pixels} px`);
      }
    }
    expect(wide).to.deep.equal([]);
  });

  it('name the kinds and states of keys in the language of the page', async () => {
    await open('sign-in');
    await signIn();
    await page.getByLabel('Language').selectOption('pl');
    await page.locator('html[lang=pl]').waitFor();
    await open('keys');
    const cells = await page.locator('tbody td').allTextContents();
    expect(cells).to.include.members(['do podpisów', 'bieżący', 'główny', 'poprzedni']);
    expect(cells.filter((cell) => /signing|master|current|old/.test(cell))).to.deep.equal([]);
  });

  it('fold a long reason after three lines, and show all of it', async () => {
    await open('sign-in');
    await signIn();
    const reason = 'Because of what was found. '.repeat(19).slice(0, 500);
    await page.route('**/api/admin/audit', (route) =>
      route.fulfill({
        json: { rows: [{ ...auditRow, before: { reason }, after: { banned: true }, reason }] },
      }),
    );
    await open('audit');
    const row = page.locator('tbody tr');
    const height = async () => (await row.boundingBox())?.height ?? 0;
    expect(await height()).to.be.within(40, 160);
    for (const index of [0, 1]) {
      await button('Show all').nth(index).click();
      expect(await height()).to.be.above(160);
      expect(await row.textContent()).to.include(reason.trim());
      await button('Show less').click();
      expect(await height()).to.be.at.most(160);
    }
    // A column too narrow for words would make a row of one letter a line.
    await page.setViewportSize({ width: 768, height: 1_024 });
    const card = page.locator('main .cards > li');
    await card.waitFor();
    expect((await card.boundingBox())?.height).to.be.at.most(450);
  });

  it('judge jobs by the time of the server, whatever the clock of the browser says', async () => {
    await page.clock.setFixedTime(new Date(Date.now() + 86_400_000));
    await open('sign-in');
    await signIn();
    await open('jobs');
    const states = await page.locator('tbody tr').allTextContents();
    expect(states.map((text) => /in time|stalled/.exec(text)?.[0])).to.deep.equal(['in time', 'stalled']);
  });

  it('know the page before a page of a list after a reload', async () => {
    await open('sign-in');
    await signIn();
    const after: Readonly<Record<string, string>> = { '': 'two', two: 'three' };
    await page.route('**/api/admin/directory**', async (route) => {
      const cursor = after[new URL(route.request().url()).searchParams.get('cursor') ?? ''];
      await route.fulfill({
        json: { users: [{ ...user, verified: true, twoFactor: true, operator: null }], cursor },
      });
    });
    await open('users');
    for (const cursor of ['two', 'three']) {
      await page.getByRole('link', { name: 'Older' }).click();
      await page.waitForURL(`**/users?cursor=${cursor}`);
    }
    await page.reload();
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.waitForURL('**/users?cursor=two');
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.waitForURL('**/users');
    expect(new URL(page.url()).search).to.equal('');
  });
});
