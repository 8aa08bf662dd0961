import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasCount, openPage, useBrowser } from '../../../support/browser.ts';
import { freePort } from '../../../support/free-port.ts';
import { provider, providerIdentity, scriptedProviders } from '../../../support/scripted-providers.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';

type ContextOptions = Parameters<Browser['newContext']>[0];

/** The browser state of a signed-in user: the cookie, and the flag that a session exists. */
const stateOf = async (service: TestService, origin: string, { email, password }: User) => {
  const headers = { 'X-Session': 'cookie', Origin: origin };
  const { headers: replyHeaders } = await service.post('/api/auth/login', { email, password }, { headers });
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(replyHeaders.get('set-cookie') ?? '') ?? [];
  const { hostname } = new URL(origin);
  const scope = { domain: hostname, path: '/', expires: -1 };
  return {
    cookies: [{ name, value, ...scope, httpOnly: true, secure: false, sameSite: 'Lax' as const }],
    origins: [{ origin, localStorage: [{ name: 'gatehouse-session', value: '1' }] }],
  };
};

/** The pages with every sign-in method at `localhost`, where browsers allow passkeys, and a browser for each test. */
export const usePages = (settings: Readonly<Record<string, string>> = {}) => {
  const scripted = scriptedProviders([provider()]);
  const idp = { identity: providerIdentity() };
  const browser = useBrowser();
  let service: TestService;
  let origin: string;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  before(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const providers: typeof scripted.port = {
      ...scripted.port,
      // The provider's own page would redirect to this address.
      begin: async (id, flow) => ({
        issuer: (await scripted.port.begin(id, flow)).issuer,
        address: `${origin}/api/auth/providers/${id}/callback?state=${encodeURIComponent(flow.state)}&code=${scripted.script(idp.identity)}`,
      }),
    };
    service = await openTestService(
      {
        ...{ ACCOUNTS_PORT: String(port), PUBLIC_URL: origin, PAGES: 'on', CONSOLE_PORT: '0' },
        ...{ PASSKEYS: 'on', PASSKEY_RP_ID: 'localhost', PASSKEY_ORIGINS: origin },
        ...settings,
      },
      undefined,
      { providers },
    );
  });
  after(() => service?.close());
  afterEach(async () => {
    await context?.close();
    service.checkAnswers();
  });

  const open = async (path: string) => {
    await page.goto(origin + path);
    // The footer is hidden while a page is loading its data.
    await page.locator('footer').waitFor({ state: 'attached' });
  };
  return {
    service: () => service,
    origin: () => origin,
    page: () => page,
    context: () => context,
    /** The identity that the provider returns next. */
    idp,
    open,
    /** Begins in a new browser, signed in if a user is given. */
    begin: async (user?: User, options: ContextOptions = {}) => {
      await context?.close();
      ({ context, page, complaints } = await openPage(browser(), {
        ...{ locale: 'en-GB', reducedMotion: 'reduce' },
        ...(user !== undefined && { storageState: await stateOf(service, origin, user) }),
        ...options,
      }));
    },
    /** The errors in the browser except expected refusals. */
    complaints: () =>
      // Requests fail if the page is left.
      complaints.filter((text) => !/answered 4\d\d$|status of 4\d\d|\/api\/\S+ failed$/.test(text)),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    fill: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
    sees: async (text: string) => {
      const element = page.getByText(text, { exact: true }).first();
      await element.waitFor();
      expect(await element.textContent()).to.equal(text);
    },
    arrives: async (path: string) => {
      await page.waitForURL(`${origin}${path}`);
      await hasCount(page.locator('main'), 1);
    },
  };
};
