import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasCount, openPage, useBrowser } from '../../../support/browser.ts';
import { freePort } from '../../../support/free-port.ts';
import { person, provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';

type Given = Parameters<Browser['newContext']>[0];

/** What a browser keeps of somebody who signed in before: the cookie, and the word that there is one. */
const stateOf = async (service: TestService, origin: string, { email, password }: User) => {
  const headers = { 'X-Session': 'cookie', Origin: origin };
  const { headers: answered } = await service.post('/api/auth/login', { email, password }, { headers });
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answered.get('set-cookie') ?? '') ?? [];
  const { hostname } = new URL(origin);
  const where = { domain: hostname, path: '/', expires: -1 };
  return {
    cookies: [{ name, value, ...where, httpOnly: true, secure: false, sameSite: 'Lax' as const }],
    origins: [{ origin, localStorage: [{ name: 'gatehouse-session', value: '1' }] }],
  };
};

/** The pages with every way to sign in, at `localhost`, where browsers have passkeys, and a browser for each test. */
export const usePages = (settings: Readonly<Record<string, string>> = {}) => {
  const scripted = scriptedProviders([provider()]);
  const said = { person: person() };
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
      // The provider's own page would lead back to this address.
      begin: async (id, trip) => ({
        issuer: (await scripted.port.begin(id, trip)).issuer,
        address: `${origin}/api/auth/providers/${id}/callback?state=${encodeURIComponent(trip.state)}&code=${scripted.script(said.person)}`,
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
    // The foot of a page that still reads is not shown.
    await page.locator('footer').waitFor({ state: 'attached' });
  };
  return {
    service: () => service,
    origin: () => origin,
    page: () => page,
    context: () => context,
    /** Whom the provider says that it has before it. */
    said,
    open,
    /** Begins in a fresh browser, as this user if one is given. */
    begin: async (user?: User, given: Given = {}) => {
      await context?.close();
      ({ context, page, complaints } = await openPage(browser(), {
        ...{ locale: 'en-GB', reducedMotion: 'reduce' },
        ...(user !== undefined && { storageState: await stateOf(service, origin, user) }),
        ...given,
      }));
    },
    /** What the browser complained of, but for refusals that a step provokes. */
    complaints: () =>
      // A page that is left does not wait for what it asked.
      complaints.filter((one) => !/answered 4\d\d$|status of 4\d\d|\/api\/\S+ failed$/.test(one)),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    fill: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
    sees: async (text: string) => {
      const found = page.getByText(text, { exact: true }).first();
      await found.waitFor();
      expect(await found.textContent()).to.equal(text);
    },
    arrives: async (path: string) => {
      await page.waitForURL(`${origin}${path}`);
      await hasCount(page.locator('main'), 1);
    },
  };
};
