import { accessSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findProgram, realServers } from './servers/real-servers.ts';

const executable = (): string => {
  const named = process.env.GATEHOUSE_TEST_CHROMIUM;
  if (named) return named;
  const server = realServers.find(({ name }) => name === 'browser');
  const found = server && findProgram(server, process.env);
  if (found === undefined) throw new Error('There is no browser.');
  return found;
};

/** A real browser for all tests of the suite that calls this. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  before(async () => {
    const executablePath = executable();
    accessSync(executablePath);
    // Its sandbox does not work for root.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
  });
  after(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('The browser is not open yet.');
    return browser;
  };
};

/** A page, with all that the browser complained of: errors of scripts, refused by a policy, or not found. */
export const openPage = async (
  browser: Browser,
  given: Parameters<Browser['newContext']>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly complaints: string[] }> => {
  const context = await browser.newContext(given);
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
