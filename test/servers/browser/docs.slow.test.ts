import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hasCount, openPage, useBrowser } from '../../support/browser.ts';
import { useService } from '../../support/service.ts';
import { violations } from '../web/screens.ts';

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/** One document with one operation of each method: the others look alike, and axe takes minutes for all of them. */
const firstOfEachMethod = (documents: readonly ApiDocument[]) => {
  const seen = new Set<string>();
  const isFirst = (method: string) => !seen.has(method) && seen.add(method) !== undefined;
  const paths = documents
    .flatMap((document) => Object.entries(document.paths))
    .map(([path, methods]): [string, object] => [
      path,
      Object.fromEntries(Object.entries(methods).filter(([method]) => isFirst(method))),
    ])
    .filter(([, methods]) => Object.keys(methods).length > 0);
  const components = documents.map((document) => document.components);
  const sections = [...new Set(components.flatMap(Object.keys))];
  const merged = sections.map((section) => [
    section,
    Object.assign({}, ...components.map((component) => component[section])),
  ]);
  return { ...documents[0], paths: Object.fromEntries(paths), components: Object.fromEntries(merged) };
};

describe('The API reference page in a browser', () => {
  const service = useService();
  const browser = useBrowser();

  /** Sends an operation with its example. Returns the status that the page shows. */
  const tryOut = async (page: Page, operation: string): Promise<string> => {
    const block = page.locator(`[id$="-${operation}"]`);
    await block.locator('.opblock-summary').click();
    await block.locator('.try-out__btn').click();
    await block.locator('.execute').click();
    return (await block.locator('.live-responses-table .response .response-col_status').innerText()).trim();
  };

  for (const [name, address, title, operation, status] of [
    ['accounts', () => service().url, 'Gatehouse accounts', 'postAuthRegister', '201'],
    ['metadata', () => service().metadataUrl, 'Gatehouse file metadata', 'postDekWrap', '200'],
  ] as const) {
    it(`lists every operation of ${name}, sends one, and makes no request to another host`, async () => {
      const { page, context, complaints } = await openPage(browser());
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      await page.goto(`${address()}/docs`);
      await page.locator('.opblock').first().waitFor();
      expect(await page.title()).to.equal(title);
      const { paths } = JSON.parse(await (await fetch(`${address()}/openapi.json`)).text());
      const operations = Object.values<object>(paths).flatMap((methods) => Object.keys(methods));
      await hasCount(page.locator('.opblock'), operations.length);
      expect(await tryOut(page, operation)).to.equal(status);
      expect(complaints).to.deep.equal([]);
      const elsewhere = urls.filter((url) => !url.startsWith(address()) && !url.startsWith('data:'));
      expect(elsewhere).to.deep.equal([]);
      await context.close();
    });
  }

  it('has enough contrast while an operation of each method is unfolded', async () => {
    const { page, context, complaints } = await openPage(browser(), { colorScheme: 'light' });
    await page.route('**/openapi.json', async (route) => {
      const addresses = [service().url, service().metadataUrl, service().consoleUrl];
      const documents = await Promise.all(
        addresses.map(
          async (address) => (await (await fetch(`${address}/openapi.json`)).json()) as ApiDocument,
        ),
      );
      await route.fulfill({ json: firstOfEachMethod(documents) });
    });
    await page.goto(`${service().url}/docs`);
    await page.locator('.opblock').first().waitFor();
    for (const operation of await page.locator('.opblock').all()) {
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-wrapper').waitFor();
    }
    expect(await page.locator('.opblock').count()).to.equal(5);
    expect(await violations(page, 'color-contrast')).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('has compressed files that browsers may cache forever', async () => {
    const text = await (await fetch(`${service().url}/docs`)).text();
    const files = [...text.matchAll(/"(\/docs\/[^"]+\?v=[\d.]+)"/g)].map(([, file]) => file);
    expect(files).to.have.length(2);
    for (const file of files) {
      const plain = await fetch(service().url + file, { headers: { 'Accept-Encoding': 'identity' } });
      const compressed = await fetch(service().url + file);
      expect(compressed.headers.get('content-encoding')).to.equal('gzip');
      expect(compressed.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(plain.headers.get('content-encoding')).to.equal(null);
      expect(await compressed.text()).to.equal(await plain.text());
    }
    expect((await fetch(`${service().url}/docs/package.json`)).status).to.equal(404);
  });
});
