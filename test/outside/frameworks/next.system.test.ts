import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { useExamples } from '../../embedding/example.ts';
import { exampleLines, installExamples, type } from '../../embedding/installed.ts';
import { openPage, useBrowser } from '../../support/browser.ts';
import { until } from '../../support/until.ts';

const SETTINGS = { NEXT_TELEMETRY_DISABLED: '1', TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_RESEND: '1' };

describe('The package in Next', function () {
  this.timeout(600_000);
  let installed: Awaited<ReturnType<typeof installExamples>>;
  before(async () => {
    installed = await installExamples(['next']);
  });
  after(() => installed?.remove());
  const browser = useBrowser();
  const serve = useExamples((...parts) => join(installed.folder, ...parts));

  const inside = (path: string) => join(installed.folder, 'docs/examples/next', path);
  const edit = (change: (text: string) => string) => {
    const file = inside('gatehouse.js');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };

  /** The route under another path, as the example's page has it. */
  const addRoute = () => {
    const page = readFileSync(inside('README.md'), 'utf8');
    const [, path = '', text = ''] = /such as `(app\/\S+)` with\s+`(export [^`]+)`/.exec(page) ?? [];
    mkdirSync(dirname(inside(path)), { recursive: true });
    writeFileSync(inside(path), text);
  };

  /** Signs Ada in by the form of the page; returns the cookie that the browser then sends. */
  const logIn = async (url: string): Promise<string> => {
    const { context, page } = await openPage(browser());
    await page.goto(`${url}/hello`);
    await until(async () => {
      // Before the page's script handles the form, the browser submits it to the page.
      if ((await page.locator('form').count()) > 0) {
        await page.fill('[name=email]', 'ada@example.com');
        await page.fill('[name=password]', 'correct horse battery');
        // Either way the page is reloaded; an earlier input would be lost.
        await Promise.all([page.waitForEvent('load'), page.click('button')]);
      }
      return (await page.locator('text=Hello ada@example.com').count()) > 0;
    });
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).to.equal('{}');
    const [{ name = '', value = '', httpOnly } = {}, ...others] = await context.cookies(url);
    expect([name, httpOnly, others]).to.deep.equal(['gatehouse', true, []]);
    await context.close();
    return `${name}=${value}`;
  };

  it('is built without the settings of production, since the build opens nothing', async () => {
    const [, ...lines] = exampleLines(inside('.'));
    for (const line of [...lines.slice(0, -1), 'npm run build']) await type(line, inside('.'), SETTINGS);
    expect(existsSync(inside('data'))).to.equal(false);
  });

  // One test, because Next compiles each route at its first request.
  it('serves accounts as a route, gives pages the signed-in user, and opens accounts once', async () => {
    edit((text) => text.replace('const open = async () => {', "$&\n  console.log('opened');"));
    addRoute();
    const { url, ask, journey, program } = await serve('next', SETTINGS);
    const page = async (headers = {}) => (await fetch(`${url}/hello`, { headers })).text();
    expect(await page())
      .to.include('<form')
      .and.not.to.include('Hello');
    expect(JSON.parse((await ask('GET', '/api/no-such')).text).code).to.equal('not_found');
    expect((await ask('POST', '/api/auth/register', { email: 'a'.repeat(100_000) })).status).to.equal(413);
    await journey();
    expect(JSON.parse((await ask('GET', '/.well-known/jwks.json')).text).keys).to.have.length(1);

    const Cookie = await logIn(url);
    expect(await page({ Cookie })).to.include('Hello ada@example.com');
    expect(await page({ Cookie: `${Cookie}x` })).to.include('<form');

    const statuses: number[] = [];
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      const headers = { 'X-Forwarded-For': client };
      const response = await fetch(`${url}/api/auth/resend-verification`, { method: 'POST', headers });
      statuses.push(response.status);
    }
    expect(statuses).to.deep.equal([415, 429, 415]);

    edit((text) => `${text}\nconsole.log('loaded again');\n`);
    await until(async () => {
      expect(await page({ Cookie })).to.include('Hello ada@example.com');
      return program.out().includes('loaded again');
    });
    expect(program.out().match(/opened/g)).to.have.length(1);
  });
});
