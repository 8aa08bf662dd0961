import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type * as Client from '../../../servers/client/index.ts';
import { useBrowser } from '../../support/browser.ts';
import { useService } from '../../support/service.ts';
import { root } from '../../support/tree/root.ts';

// Globals of the page.
declare const client: typeof Client;
declare const localStorage: Client.Storage;
declare const navigator: { readonly locks: Client.Locks };

const ACCESS_TOKEN_LIFETIME_MS = 900_000;

/** The client, bundled as for a page. */
const bundle = async (): Promise<string> => {
  const build = await rolldown({ input: join(root, 'dist/servers/client/index.js') });
  const { output } = await build.generate({ format: 'iife', name: 'client' });
  return `${output[0].code}; globalThis.client = client;`;
};

describe('The client in a browser', () => {
  const service = useService();
  const browser = useBrowser();
  let context: BrowserContext;
  let code: string;
  let refreshes = 0;

  before(async () => {
    code = await bundle();
    context = await browser().newContext();
    context.on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) refreshes += 1;
    });
  });
  after(() => context?.close());

  const openTab = async (): Promise<Page> => {
    const tab = await context.newPage();
    await tab.goto(`${service().url}/health`);
    await tab.evaluate(code);
    return tab;
  };

  /** Makes concurrent calls in a tab. Returns their statuses. */
  const call = (tab: Page, count: number, baseUrl = service().url) =>
    tab.evaluate(
      async ({ baseUrl, count }) => {
        const { createAccountsClient, storedTokens } = client;
        const tokens = storedTokens(localStorage, navigator.locks);
        const accounts = createAccountsClient({ baseUrl, tokens });
        const answers = await Promise.all(Array.from({ length: count }, () => accounts.GET('/api/auth/me')));
        return answers.map(({ response }) => response.status);
      },
      { baseUrl, count },
    );

  it('refreshes once for 50 calls with an expired token in two tabs', async () => {
    const { email, password } = await service().signUp();
    const tabs = [await openTab(), await openTab()] as const;
    await tabs[0].evaluate(
      async ({ email, password }) => {
        const { createAccountsClient, storedTokens } = client;
        const tokens = storedTokens(localStorage, navigator.locks);
        // The page has the origin of the service, so the URL can be relative.
        await createAccountsClient({ baseUrl: '', tokens }).POST('/api/auth/login', {
          body: { email, password },
        });
      },
      { email, password },
    );
    expect(await call(tabs[1], 1)).to.deep.equal([200]);
    expect(refreshes).to.equal(0);
    service().clock.advance(ACCESS_TOKEN_LIFETIME_MS + 1_000);
    const statuses = await Promise.all([call(tabs[0], 25, ''), call(tabs[1], 25)]);
    expect(statuses.flat()).to.deep.equal(Array.from({ length: 50 }, () => 200));
    expect(refreshes).to.equal(1);
  });
});
