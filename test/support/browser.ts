import { accessSync } from 'node:fs';
import { expect } from 'chai';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { programPath } from './runner/outside-programs.ts';
import { until } from './until.ts';

/** Twice Playwright's default, which is too short on a busy machine. */
const TIMEOUT_MS = 60_000;

let launchedBrowser: Promise<Browser> | undefined;

const launch = (): Promise<Browser> => {
  const executablePath = programPath('Chromium');
  accessSync(executablePath);
  // Chromium's sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args, timeout: TIMEOUT_MS });
};

// Files that share a process share the browser, which takes a second to start.
after(async () => (await launchedBrowser)?.close());

/** A browser for all tests of the calling suite. Contexts that they leave open are closed after the last test. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  before(async () => {
    launchedBrowser ??= launch();
    browser = await launchedBrowser;
  });
  after(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));
  return () => {
    if (browser === undefined) throw new Error('The browser is not open yet.');
    return browser;
  };
};

/** A page and the browser's complaints: script errors, violations of policies, and failed requests. */
export const openPage = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly complaints: string[] }> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // Navigation aborts the requests of the page before.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`);
  });
  return { page, context, complaints };
};

/**
 * Stops the page's animations, also after navigation: elements that an animation shows after a delay stay hidden until a test
 * ends the animation.
 */
export const stopAnimations = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
};

/**
 * Takes the page offline. Chromium's network process learns of this with a delay, so the function sends requests until one
 * fails.
 */
export const takeOffline = async (page: Page): Promise<void> => {
  await page.context().setOffline(true);
  await until(() => page.evaluate<boolean>("fetch('/api/auth/me').then(() => false, () => true)"));
};

/** Waits until the locator matches this many elements: a page may render parts of a result in the next frame. */
export const hasCount = async (locator: Locator, count: number): Promise<void> => {
  await until(async () => (await locator.count()) === count);
  expect(await locator.count()).to.equal(count);
};

/** Waits until the element with this member has the focus: a page moves the focus in the frame after a result. */
export const hasFocus = async (page: Page, member: 'name' | 'tagName', value: string): Promise<void> => {
  const focused = () => page.evaluate<string>(`document.activeElement.${member}`);
  await until(async () => (await focused()) === value);
  expect(await focused()).to.equal(value);
};
