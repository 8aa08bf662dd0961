import { accessSync } from 'node:fs';
import { expect } from 'chai';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { programPath } from './runner/outside-programs.ts';
import { until } from './until.ts';

/** Milliseconds after which something hangs; what Playwright takes for that is half of it, too little for a busy machine. */
const HANGS = 60_000;

let launched: Promise<Browser> | undefined;

const launch = (): Promise<Browser> => {
  const executablePath = programPath('Chromium');
  accessSync(executablePath);
  // Its sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args, timeout: HANGS });
};

// Files that share a process share the browser, which takes a second to start.
after(async () => (await launched)?.close());

/** A real browser for all tests of the suite that calls this. What they leave open is closed after the last of them. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  before(async () => {
    launched ??= launch();
    browser = await launched;
  });
  after(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));
  return () => {
    if (browser === undefined) throw new Error('The browser is not open yet.');
    return browser;
  };
};

/** A page, with all that the browser complained of: errors of scripts, refused by a policy, or not found. */
export const openPage = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly complaints: string[] }> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(HANGS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // A page that is left drops what it was loading.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`);
  });
  return { page, context, complaints };
};

/**
 * Stops the clock of the page's animations, at its next addresses, too: what the styles show after a while stays hidden until
 * a test ends its animation.
 */
export const stopAnimations = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
};

/**
 * Takes the connection of the page away. Chromium answers before its network process knows of it, and a request that is made at
 * once may still get through: so requests are made until one fails.
 */
export const takeOffline = async (page: Page): Promise<void> => {
  await page.context().setOffline(true);
  await until(() => page.evaluate<boolean>("fetch('/api/auth/me').then(() => false, () => true)"));
};

/** Waits until the locator matches so many elements: a page shows a result and redraws the rest in the next frame. */
export const hasCount = async (locator: Locator, count: number): Promise<void> => {
  await until(async () => (await locator.count()) === count);
  expect(await locator.count()).to.equal(count);
};

/** Waits until an element of which this member is so has the focus: a page moves it in the frame after it shows a result. */
export const hasFocus = async (page: Page, member: 'name' | 'tagName', value: string): Promise<void> => {
  const focused = () => page.evaluate<string>(`document.activeElement.${member}`);
  await until(async () => (await focused()) === value);
  expect(await focused()).to.equal(value);
};
