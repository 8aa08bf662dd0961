import type { BrowserContext, Page } from 'playwright-core';
import { openPage, useBrowser } from '../../../support/browser.ts';
import { type TestService, useService } from '../../../support/service.ts';
import { cookieOf, makeOperator, signIn, type TestOperator } from '../../console/console-client.ts';

/** The browser state of an operator who signed in before. */
export const stateOfOperator = async (service: TestService, operator: TestOperator) => {
  const value = cookieOf(await signIn(service, operator)) ?? '';
  const { hostname } = new URL(service.consoleUrl);
  const scope = { domain: hostname, path: '/api', expires: -1 };
  const flags = { httpOnly: true, secure: false, sameSite: 'Strict' as const };
  return { cookies: [{ name: 'gatehouse-console', value, ...scope, ...flags }], origins: [] };
};

/** The console, and for each test a browser in which a founder is signed in. */
export const useConsole = () => {
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
    ({ context, page, complaints } = await openPage(browser(), {
      ...{ locale: 'en-GB', reducedMotion: 'reduce' },
      storageState: await stateOfOperator(service(), operator),
    }));
  });
  afterEach(() => context?.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  return {
    service,
    operator: () => operator,
    context: () => context,
    page: () => page,
    /** The errors in the browser except expected refusals. */
    complaints: () =>
      // Requests fail if the page is left.
      complaints.filter((text) => !/answered 4\d\d$|status of 4\d\d| failed$/.test(text)),
    button,
    fill,
    /** Signs the founder in at the open form. */
    signIn: async () => {
      await fill('Email', operator.user.email);
      await fill('Password', operator.user.password);
      await page.keyboard.press('Enter');
      await fill('Code', operator.app.fresh());
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Console' }).waitFor();
    },
    /** Opens the page of a user, and waits for its sections. */
    openUser: async ({ id }: { readonly id: string }) => {
      await page.goto(`${service().consoleUrl}/users/${id}`);
      await button('Restrict or delete').waitFor();
      await page.locator('.sections :is(table, .cards, .empty)').first().waitFor();
    },
    /** Chooses an action from the menu `Restrict or delete`. */
    choose: async (name: string) => {
      await button('Restrict or delete').click();
      await button(name).click();
    },
  };
};
