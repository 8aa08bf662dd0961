import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  accountJobs,
  billingJobs,
  fileJobs,
  passkeyJobs,
  webhookJobs,
} from '../../../../adapters/background/jobs.ts';
import { hasCount, hasFocus, openPage, useBrowser } from '../../../support/browser.ts';
import { openTestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { makeOperator } from '../../console/console-client.ts';
import { ATTACK, answerReads, auditRow, health, ODD_EMAIL, user } from '../console/answers.ts';
import { faults, overflow } from '../screens.ts';
import { stateOfOperator, useConsole } from './open-console.ts';

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

describe('The pages of the console', () => {
  const pages = useConsole();
  const { button, context, fill, service, signIn } = pages;
  let page: Page;
  beforeEach(async () => {
    page = pages.page();
    await answerReads(page);
  });
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));

  const open = async (path: string) => {
    await page.goto(`${service().consoleUrl}/${path}`);
    await page.getByRole('contentinfo').waitFor();
    await until(async () => (await page.locator('.skeleton').count()) === 0);
  };
  const switchToPolish = async () => {
    await page.getByLabel('Language').selectOption('pl');
    await page.locator('html[lang=pl]').waitFor();
  };

  /** The number of elements that only injected markup would create. */
  const countMarkup = () => page.locator('main :is(img, script, iframe, a[href^="javascript"])').count();

  it('pass axe and show texts without their markup', async () => {
    await context().clearCookies();
    await open('sign-in');
    const problems = [...(await faults(page, 'sign-in'))];
    await page.getByLabel('Język').selectOption('en');
    // The last variant was that of a phone, whose menu is closed.
    await page.setViewportSize({ width: 1280, height: 800 });
    await signIn();
    for (const path of SCREENS) {
      await open(path);
      problems.push(...(await faults(page, path)));
      expect(await countMarkup(), path).to.equal(0);
    }
    expect(problems).to.deep.equal([]);
  });

  it('show typed markup as text, also in folded sections', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open(`users/${user.id}`);
    for (const name of ['Sessions (2)', 'Billing', 'Emails'])
      await page.locator('summary', { hasText: name }).click();
    await page.locator('.sections details[open] :is(table, .cards)').nth(4).waitFor();
    await page.getByRole('heading', { level: 1, name: ODD_EMAIL }).waitFor();
    expect(await page.locator('bdi', { hasText: ATTACK }).count()).to.be.above(6);
    expect(await countMarkup()).to.equal(0);
  });

  it('use the full width for cards on a phone, and one row for the navigation on a desktop', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ['mails', 'deliveries', 'jobs', 'keys']) {
      await open(path);
      const cards = page.locator('main .cards');
      await cards.waitFor();
      // The width of the phone without its margins.
      expect((await cards.boundingBox())?.width, path).to.equal(390 - 2 * 16);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await switchToPolish();
    const rows = 'new Set([...document.querySelectorAll(".places a")].map(({ offsetTop }) => offsetTop))';
    expect(await page.evaluate(`${rows}.size`)).to.equal(1);
  });

  it('are no wider than their window in Polish on a tablet and at 400 %', async () => {
    await open('');
    await switchToPolish();
    const wide: string[] = [];
    for (const path of SCREENS) {
      await page.setViewportSize({ width: 768, height: 1_024 });
      await open(path);
      // 320 is 1280 at 400 %.
      for (const width of [768, 820, 720, 1_040, 320]) {
        await page.setViewportSize({ width, height: 1_024 });
        // Waits until the page is drawn in its new size.
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
        const pixels = await overflow(page);
        if (pixels > 0) wide.push(`${path} at ${width}: ${pixels} px`);
      }
    }
    expect(wide).to.deep.equal([]);
  });

  it('show the kinds and states of keys in the language of the page', async () => {
    await open('');
    await switchToPolish();
    await open('keys');
    const cells = await page.locator('tbody td').allTextContents();
    expect(cells).to.include.members(['Do podpisów', 'Bieżący', 'Główny', 'Poprzedni']);
    expect(cells.filter((cell) => /signing|master|current|old/i.test(cell))).to.deep.equal([]);
  });

  it('fold a long reason after three lines, and unfold it', async () => {
    const reason = 'Because of what was found. '.repeat(19).slice(0, 500);
    await page.route('**/api/admin/audit', (route) =>
      route.fulfill({
        json: {
          rows: [{ ...auditRow, before: { reason }, after: { banned: true }, reason }],
          emails: {},
        },
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
    // A column that is too narrow for words would put one letter on each line.
    await page.setViewportSize({ width: 768, height: 1_024 });
    const card = page.locator('main .cards > li');
    await card.waitFor();
    expect((await card.boundingBox())?.height).to.be.at.most(450);
  });

  it('offer to show the whole text only if a part is hidden', async () => {
    const reason =
      'The bank wrote that three cards were stolen, and that nobody may lift this before it writes again.';
    const hash = 'ab'.repeat(20);
    await page.route('**/api/admin/audit', (route) =>
      route.fulfill({ json: { rows: [{ ...auditRow, reason, before: {}, after: { hash } }], emails: {} } }),
    );
    await open('audit');
    // The reason fits in three lines of the table, but the hash does not fit in its line.
    await hasCount(page.locator('tbody .text.folded'), 1);
    await hasCount(button('Show all'), 1);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('main .cards > li').waitFor();
    await hasCount(button('Show all'), 2);
    await page.setViewportSize({ width: 1280, height: 800 });
    await hasCount(button('Show all'), 1);
  });

  it('show a current restriction of a user first, and an ended restriction below', async () => {
    const ended = { reason: 'A pause', since: '2026-01-02T03:04:05Z', until: '2026-02-03T04:05:06Z' };
    await page.route(`**/api/admin/users/${user.id}`, (route) =>
      route.fulfill({ json: { user: { ...user, disabled: { ...ended, inForce: false } } } }),
    );
    await open(`users/${user.id}`);
    const notice = page.getByRole('alert');
    await notice.waitFor();
    expect(await notice.textContent())
      .to.match(/Banned.*No end date/)
      .and.include(ATTACK);
    const card = page.locator('.definition').first();
    expect((await notice.boundingBox())?.y).to.be.below((await card.boundingBox())?.y ?? 0);
    await hasCount(page.locator('dt', { hasText: 'Banned' }), 0);
    expect(await page.locator('dt', { hasText: 'Disabled' }).locator('+ dd').textContent()).to.include(
      '2026-02-03 04:05',
    );
  });

  it('show a user as operator only if the flags contain an existing role', async () => {
    for (const [operatorTeamRole, count] of [
      ['dev', 1],
      ['guest', 0],
    ] as const) {
      const accessFlags = { isOperatorTeam: true, operatorTeamRole };
      const entitlements = user.entitlements.map((entitlement) => ({ ...entitlement, accessFlags }));
      await page.route(`**/api/admin/users/${user.id}`, (route) =>
        route.fulfill({ json: { user: { ...user, entitlements } } }),
      );
      await open(`users/${user.id}`);
      await button('Set operator role').waitFor();
      await hasCount(page.locator('.states').getByText('Developer'), count);
      await hasCount(page.locator('dt', { hasText: /^Operator$/ }), count);
      await hasCount(button('Remove operator role'), count);
    }
  });

  it('show `User not found` for an address without a user id', async () => {
    for (const path of ['users/%', 'users/%E0%A4', 'users/ada']) {
      await open(path);
      await page.getByText('User not found.').waitFor();
      expect(await page.getByRole('link', { name: '‹ Users' }).getAttribute('href')).to.equal('/users');
    }
  });

  it('show deliveries with type and id, a replay without effect, and two kinds of empty list', async () => {
    await open('deliveries');
    expect(await page.locator('tbody th').allTextContents()).to.deep.equal([
      'subscription.updatedevt_1',
      '–evt_2',
    ]);
    await page.route('**/replay', (route) => route.fulfill({ json: { count: 0 } }));
    await button('Replay: subscription.updated evt_1').click();
    await fill('Reason', 'It may be lost');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('status').filter({ hasText: 'Nothing changed' }).waitFor();
    await page.route('**/api/admin/deliveries**', (route) =>
      route.fulfill({ json: { deliveries: [], emails: {} } }),
    );
    await open('deliveries');
    await page.getByText('No deliveries yet.').waitFor();
    await open('deliveries?standing=dead');
    await page.getByText('No deliveries with this status.').waitFor();
  });

  it('format changed times in an audit row like other times', async () => {
    const after = { until: '2026-12-04T21:52:49.376Z' };
    await page.route('**/api/admin/audit', (route) =>
      route.fulfill({ json: { rows: [{ ...auditRow, before: {}, after }], emails: {} } }),
    );
    await open('audit');
    const time = page.locator('.diff time');
    expect(await time.textContent()).to.equal('2026-12-04 21:52');
    expect((await time.boundingBox())?.height).to.be.below(24);
  });

  it('judge jobs by the time of the server even if the clock of the browser is wrong', async () => {
    await page.clock.setFixedTime(new Date(Date.now() + 86_400_000));
    await open('jobs');
    const states = await page.locator('tbody tr').allTextContents();
    expect(states.map((text) => /On time|Stalled/.exec(text)?.[0])).to.deep.equal(['On time', 'Stalled']);
  });

  it('keep the links to previous pages of a list after a reload', async () => {
    const after: Readonly<Record<string, string>> = { '': 'two', two: 'three' };
    await page.route('**/api/admin/directory**', async (route) => {
      const cursor = after[new URL(route.request().url()).searchParams.get('cursor') ?? ''];
      await route.fulfill({
        json: { users: [{ ...user, verified: true, twoFactor: true, operator: null }], cursor },
      });
    });
    await open('users');
    const next = page.getByRole('link', { name: 'Next' });
    for (const cursor of ['two', 'three']) {
      // While a page is loading, the links of the previous page are still shown.
      await next.and(page.locator(`[href$="cursor=${cursor}"]`)).click();
      await page.waitForURL(`**/users?cursor=${cursor}`);
    }
    // The last page is loaded, and with it the history entry that survives the reload.
    await hasCount(next, 0);
    await page.reload();
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.waitForURL('**/users?cursor=two');
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.waitForURL('**/users');
    expect(new URL(page.url()).search).to.equal('');
  });

  const styleOf = (locator: Locator, name: string) =>
    locator.evaluate(
      (
        element: {
          ownerDocument: {
            defaultView: { getComputedStyle(element: unknown): { getPropertyValue(name: string): string } };
          };
        },
        property: string,
      ) => element.ownerDocument.defaultView.getComputedStyle(element).getPropertyValue(property),
      name,
    );
  it('list problems first, with what to do, and say if all systems are operational', async () => {
    await context().clearCookies();
    await open('sign-in');
    await page.getByText('Operators only.').waitFor();
    await hasFocus(page, 'name', 'email');
    await signIn();
    await open('');
    const lines = page.locator('.status > li');
    const signs = await lines.evaluateAll((all: readonly { textContent: string }[]) =>
      all.map(({ textContent }) => /[✖⚠·✔]/.exec(textContent)?.[0]),
    );
    expect(signs.join('')).to.equal('✖✖✖✖✖✖⚠·✔');
    const metadata = await lines.filter({ hasText: 'Metadata service' }).textContent();
    expect(metadata).to.include('METADATA_URL');
    expect(await page.getByRole('list', { name: 'Users now' }).textContent()).to.include(
      '429free\u00a0329 · pro\u00a0100',
    );
    const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0;
    expect(await topOf(page.locator('.status'))).to.be.below(await topOf(page.locator('.tiles')));
    await page.setViewportSize({ width: 768, height: 1_000 });
    await page.getByLabel('Language').selectOption('pl');
    const names = page.locator('.tiles a');
    await names.filter({ hasText: 'Niepotwierdzone' }).waitFor();
    const broken = await page.evaluate(`[...document.querySelectorAll('.tiles a')].filter((tile) => {
      const { height } = tile.getBoundingClientRect();
      tile.style.overflowWrap = 'normal';
      return tile.getBoundingClientRect().height !== height;
    }).length`);
    expect(broken).to.equal(0);
    await page.getByLabel('Język').selectOption('en');
    const oldest = new Date(Date.parse(health.at) - 400_000).toISOString().slice(0, 16).replace('T', ' ');
    await lines.filter({ hasText: `Oldest from ${oldest} UTC` }).waitFor();
    const well = { services: [{ ...health.services[0], status: 'ok', down: [] }], jobs: [] };
    const backlog = { ...health.backlog, mailDead: 0, deliveriesDead: 0 };
    await page.route('**/api/admin/health', (route) =>
      route.fulfill({ json: { ...health, ...well, backlog } }),
    );
    await open('');
    await page.getByText('All systems are operational.').waitFor();
  });

  it('show texts in place of charts without data', async () => {
    await page.unroute('**/api/admin/**');
    const none = { total: 0, byTier: {}, verified: 0, twoFactor: 0, banned: 0, disabled: 0 };
    await page.route('**/api/admin/statistics**', (route) =>
      route.fulfill({ json: { users: none, days: [] } }),
    );
    await open('statistics');
    await page.getByText('No statistics yet.').waitFor();
    const counts = { signUps: 0, verified: 0, active1: 0, active7: 0, active30: 0, mailWaitingMost: 0 };
    const day = {
      day: '2026-11-27',
      total: 0,
      byTier: {},
      mailDead: 0,
      cacheHits: 0,
      cacheMisses: 0,
      ...counts,
    };
    await page.route('**/api/admin/statistics**', (route) =>
      route.fulfill({ json: { users: none, days: [day] } }),
    );
    await open('statistics');
    await page.getByText('No sign-ups in these days.').waitFor();
    expect(await page.locator('.chart .empty').count()).to.equal(5);
    expect(await page.locator('.chart :is(svg, input, button)').count()).to.equal(0);
  });

  it('count a single user, sign-up, email and entry in the singular', async () => {
    const users = { total: 1, byTier: { free: 1 }, verified: 1, twoFactor: 0, banned: 0, disabled: 0 };
    const day = {
      ...{ day: '2026-11-27', signUps: 1, verified: 1, total: 1, byTier: { free: 1 }, mailWaitingMost: 1 },
      ...{ mailDead: 0, active1: 1, active7: 1, active30: 1, cacheHits: 0, cacheMisses: 0 },
    };
    await page.route('**/api/admin/statistics**', (route) => route.fulfill({ json: { users, days: [day] } }));
    await open('statistics');
    const sentences = page.locator('figcaption');
    await sentences.first().waitFor();
    expect(await sentences.allTextContents()).to.include.members([
      '1 sign-up in 30 days, most on 27 November: 1.',
      '1 user: free 1.',
      'At most 1 email was waiting, on 27 November. Dead: 0.',
    ]);
    const verdict = { intact: true, rows: 1, erased: 0, head: null, broken: null };
    await page.route('**/api/admin/audit/verify', (route) =>
      route.fulfill({ json: { state: 'done', checked: 1, rows: 1, startedAt: null, verdict } }),
    );
    await open('audit');
    await page.getByText('The log is intact: 1 entry, 0 erased.').waitFor();
  });

  it('show the numbers of a day under the pointer or at the focused slider', async () => {
    await open('statistics');
    const chart = page.locator('.chart').first();
    const tooltip = chart.locator('.tooltip');
    const slider = chart.getByRole('slider');
    const opacity = () => styleOf(slider, 'opacity');
    // Zero, half the axis maximum and the axis maximum, above which 8 units stay free.
    const heights =
      "[...document.querySelector('.chart').querySelectorAll('.grid')].map((line) => line.getAttribute('y1'))";
    expect(await page.evaluate(heights)).to.deep.equal(['200', '104', '8']);
    expect([await tooltip.count(), await opacity()]).to.deep.equal([0, '0']);
    const box = await chart.locator('.plot > svg').boundingBox();
    for (const share of [0.01, 0.5, 0.99]) {
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * share, (box?.y ?? 0) + 50);
      await tooltip.waitFor();
      const shown = await tooltip.boundingBox();
      expect(shown?.x).to.be.at.least(box?.x ?? 0);
      expect((shown?.x ?? 0) + (shown?.width ?? 0)).to.be.at.most((box?.x ?? 0) + (box?.width ?? 0) + 1);
    }
    await page.mouse.move(0, 0);
    await tooltip.waitFor({ state: 'detached' });
    await chart.getByRole('button').focus();
    await page.keyboard.press('Tab');
    await tooltip.waitFor();
    expect(await opacity()).to.equal('1');
    const last = await tooltip.textContent();
    await page.keyboard.press('ArrowLeft');
    await until(async () => (await tooltip.textContent()) !== last);
    expect(await slider.getAttribute('aria-valuetext')).to.match(/^\d+ \w+: Verified \d+, Not verified \d+$/);
    await page.keyboard.press('Tab');
    await tooltip.waitFor({ state: 'detached' });
    expect(await chart.locator('.series-warn').count()).to.be.above(0);
    expect(await page.locator('.chart').nth(3).locator('.series-danger').count()).to.be.above(0);
    expect(await page.locator('.chart figcaption').last().textContent()).to.match(/^[\d.]+% of all reads/);
  });

  it('show users by their emails, without broken words', async () => {
    await open('audit');
    const row = page.locator('tbody tr').first();
    await row.getByRole('link', { name: 'user4@example.com' }).waitFor();
    const verify = await page.getByRole('button', { name: 'Verify' }).boundingBox();
    expect(verify?.y).to.be.below((await row.boundingBox())?.y ?? 0);
    const height = async (cell: number) =>
      (await row.locator('td, th').nth(cell).locator('bdi').first().boundingBox())?.height;
    // Each cell has one line.
    for (const cell of [1, 2, 3]) expect(await height(cell)).to.be.below(24);
    await open('users');
    const link = row.getByRole('link');
    const underline = () => styleOf(link, 'text-decoration-line');
    expect(await underline()).to.equal('none');
    await link.hover();
    expect(await underline()).to.equal('underline');
    await hasCount(page.getByRole('link', { name: 'Clear' }), 0);
    await page.getByLabel('Tier').selectOption('pro');
    await page.getByRole('link', { name: 'Clear' }).waitFor();
  });

  it('shorten the head of the audit log, which can be copied', async () => {
    const head = `1204.${'ab'.repeat(32)}`;
    const verdict = { intact: true, rows: 1_204, erased: 1, head, broken: null };
    await page.route('**/api/admin/audit/verify', (route) =>
      route.fulfill({ json: { state: 'done', checked: 1_204, rows: 1_204, startedAt: null, verdict } }),
    );
    await open('audit');
    const code = page.locator(`code[title="${head}"]`);
    await code.waitFor();
    expect((await code.boundingBox())?.width).to.be.at.most(256);
    expect((await code.boundingBox())?.height).to.be.below(24);
    await button('Copy: Head').waitFor();
  });

  it('show the members of a user that are set, in two aligned columns', async () => {
    await context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(`users/${user.id}`);
    await page.locator('dd').getByRole('link', { name: 'user4@example.com' }).waitFor();
    await hasCount(page.locator('dt', { hasText: 'Claim' }), 0);
    await hasCount(page.locator('dt', { hasText: 'API keys' }), 0);
    const edges = async () => {
      const boxes = await Promise.all(
        (await page.locator('.definition dd').all()).map((cell) => cell.boundingBox()),
      );
      return [...new Set(boxes.map((box) => Math.round(box?.x ?? 0)))];
    };
    expect(await edges()).to.have.length(1);
    await page.setViewportSize({ width: 390, height: 800 });
    expect((await edges())[0]).to.be.above(120);
    await button('Copy: Email').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(ODD_EMAIL);
    const sizes: unknown[] = [];
    const title = page.getByRole('dialog').getByRole('heading');
    const measure = async () => sizes.push(await styleOf(title, 'font-size'));
    await button('Unlock').click();
    await measure();
    await page.keyboard.press('Escape');
    await open('mails');
    await button('Retry all').click();
    await measure();
    expect(new Set(sizes).size).to.equal(1);
  });

  it('describe each job in both languages', async () => {
    const module = { background: {} } as never;
    const jobs = [
      ...accountJobs(module, () => undefined),
      ...[passkeyJobs, fileJobs, webhookJobs, billingJobs].flatMap((jobsOf) => jobsOf(module)),
    ].map(({ name }) => ({ ...health.jobs[0], task: name }));
    await page.route('**/api/admin/health', (route) => route.fulfill({ json: { ...health, jobs } }));
    await open('jobs');
    for (const choose of [async () => undefined, switchToPolish]) {
      await choose();
      const lines = await page.locator('tbody th > div').allTextContents();
      expect(lines.filter((line) => line.endsWith('.'))).to.have.length(jobs.length);
    }
  });
});

describe('The header of the console', () => {
  const browser = useBrowser();

  it('keeps its height with a long product name', async () => {
    const service = await openTestService({
      PRODUCT_NAME: 'The Accounts of a Quite Considerable Company and Sons',
    });
    const { context, page } = await openPage(browser(), {
      ...{ locale: 'en-GB', reducedMotion: 'reduce' },
      storageState: await stateOfOperator(service, await makeOperator(service)),
    });
    await page.goto(`${service.consoleUrl}/`);
    await page.getByLabel('Language').selectOption('pl');
    await page.getByRole('navigation', { name: 'Konsola' }).waitFor();
    for (const [width, rows] of [
      [1_280, 1],
      [1_040, 1],
      [768, 2],
      [390, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page), `${width}`).to.be.at.most(0);
      expect((await page.locator('header').boundingBox())?.height, `${width}`).to.be.at.most(70 * rows);
    }
    await context.close();
    await service.close();
  });
});
