import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { rounds } from '../../../contracts/race.ts';
import { useBrowser } from '../../../support/browser.ts';
import type { User } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { bundleDocumented } from '../bundle-documented.ts';
import { openSite, type Site } from './site.ts';

/** All encodings of an HTML form. */
const ENCODINGS = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'] as const;
const TARGETS = ['session/token', 'logout', 'delete-account', 'password'] as const;
const FORMS = TARGETS.flatMap((target) => ENCODINGS.map((encoding) => ({ target, encoding })));
/** One form of each encoding, for short runs. */
const FEW = FORMS.filter((_, place) => place % 4 === 0);

describe('A cookie session in a browser', () => {
  const folder = useTempFolder('suite');
  const browser = useBrowser();
  let site: Site;
  let user: User;
  let context: BrowserContext;
  before(async () => {
    site = await openSite(folder());
  });
  after(() => site?.close());
  beforeEach(async () => {
    site.seen.length = 0;
    user = await site.service.signUp();
    context = await browser().newContext({ ignoreHTTPSErrors: true });
  });
  afterEach(async () => {
    await context.close();
    site.service.checkAnswers();
  });

  const open = async (url: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  /** Sends a request from a script of the page. Returns the status, the type of an opaque response, or `failed`. */
  const send = (page: Page, path: string, init: object = {}): Promise<unknown> =>
    page.evaluate(
      `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(({ status, type }) => status || type, () => 'failed')`,
    );
  const login = (headers: object = {}, init: object = {}) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email: user.email, password: user.password }),
    ...init,
  });
  const WANTS_COOKIE = { 'X-Session': 'cookie' };
  /** A page of the site with its user signed in. */
  const openLoggedIn = async () => {
    const page = await open(site.url);
    expect(await send(page, '/api/auth/login', login(WANTS_COOKIE))).to.equal(200);
    expect(await send(page, '/api/auth/me')).to.equal(200);
    site.seen.length = 0;
    return page;
  };
  const values = async () => (await context.cookies(site.url)).map(({ name, value }) => `${name}=${value}`);

  it('D5: is hidden from scripts, addresses, Referer headers and the log', async () => {
    const page = await openLoggedIn();
    expect(await page.evaluate('document.cookie')).to.equal('');
    const headers = await page.evaluate(
      `fetch('/api/auth/reauthenticate', ${JSON.stringify({ ...login(), body: JSON.stringify({ password: user.password }) })})
        .then((answer) => [answer.status, [...answer.headers].map(String).join(), answer.text()]).then((all) => Promise.all(all))`,
    );
    const [cookie] = await context.cookies(site.url);
    expect(cookie).to.include({ name: '__Host-gatehouse', httpOnly: true, secure: true, sameSite: 'Lax' });
    expect(JSON.stringify(headers)).to.match(/^\[200,/);
    expect(JSON.stringify(headers))
      .not.to.contain(cookie?.value)
      .and.not.to.match(/set-cookie/i);
    const referers: string[] = [];
    page.on('request', (request) => referers.push(request.url(), request.headers().referer ?? ''));
    await page.goto(site.elsewhere);
    expect(referers.join()).not.to.contain(cookie?.value);
    expect(JSON.stringify(site.service.log.lines)).not.to.contain(cookie?.value);
  });

  for (const attacker of ['sibling', 'elsewhere'] as const) {
    it(`D1: is not used by forms of a page ${attacker === 'sibling' ? 'on a sibling host' : `of another site (${attacker})`}`, async () => {
      const page = await openLoggedIn();
      const before = await values();
      const forms = attacker === 'elsewhere' || rounds() > 2 ? FORMS : FEW;
      const evil = await context.newPage();
      for (const { target, encoding } of forms) {
        await evil.goto(site[attacker]);
        const response = evil.waitForResponse((answer) => answer.url().endsWith(target));
        await evil.evaluate(
          `document.body.innerHTML = '<form method="post" enctype="${encoding}" action="${site.url}/api/auth/${target}">'
              + '<input name="newPassword" value="stolen battery"></form>'; document.forms[0].submit()`,
        );
        const status = (await response).status();
        await evil.waitForURL((url) => url.pathname.endsWith(target));
        expect(status, `${target} ${encoding}`).to.equal(attacker === 'sibling' ? 403 : 401);
      }
      expect(site.seen).to.have.length(forms.length);
      expect(await values()).to.deep.equal(before);
      expect(await send(page, '/api/auth/me')).to.equal(200);
    });

    it(`D1: is not used by scripts, images, beacons and links of another page (${attacker})`, async () => {
      const page = await openLoggedIn();
      const evil = await open(site[attacker]);
      const to = (path: string) => `${site.url}/api/${path}`;
      const CHECKOUT = 'billing/checkout?tier=pro&billingCycle=monthly';
      const included = { credentials: 'include', mode: 'no-cors' };
      await send(evil, to('auth/me'), { ...included });
      await send(evil, to('auth/logout'), { ...included, method: 'POST' });
      await evil.evaluate(
        `new Promise((done) => { const image = new Image(); image.onerror = done; image.src = '${to(CHECKOUT)}'; })`,
      );
      await evil.evaluate(`navigator.sendBeacon('${to('auth/logout')}', 'x')`);
      const checkout = evil.waitForResponse((answer) => answer.url().includes('checkout'));
      await evil.evaluate(`location.href = '${to(CHECKOUT)}'`);
      expect((await checkout).status()).to.equal(401);
      expect(site.seen.length).to.be.at.least(4);
      for (const line of site.seen) expect(line).to.match(/ (?:cross-site|same-site) (?:401|403)$/);
      expect(await send(page, '/api/auth/me')).to.equal(200);
    });

    it(`D6: does not begin by a sign-in request of another page (${attacker})`, async () => {
      const evil = await open(site[attacker]);
      const target = `${site.url}/api/auth/login`;
      expect(await send(evil, target, login(WANTS_COOKIE, { credentials: 'include' }))).to.equal('failed');
      expect(
        await send(evil, target, login(WANTS_COOKIE, { credentials: 'include', mode: 'no-cors' })),
      ).to.equal('opaque');
      expect(site.seen.filter((line) => line.endsWith(' 200'))).to.deep.equal([]);
      expect(await values()).to.deep.equal([]);

      // Such a request does not replace an existing session either.
      await openLoggedIn();
      const before = await values();
      await send(evil, target, login(WANTS_COOKIE, { credentials: 'include', mode: 'no-cors' }));
      expect(await values()).to.deep.equal(before);
    });
  }

  it('D2: is not replaced by a cookie that a page on a sibling host sets', async () => {
    const page = await openLoggedIn();
    const before = await values();
    const evil = await open(site.sibling);
    for (const name of ['__Host-gatehouse', 'gatehouse'])
      await evil.evaluate(`document.cookie = '${name}=evil; Domain=example.localhost; Path=/; Secure'`);
    expect(await values()).to.deep.equal([...before, 'gatehouse=evil']);
    expect(await send(page, '/api/auth/me')).to.equal(200);
  });

  it('D2: is not shadowed by a sibling host’s cookie whose name begins with a no-break space', async () => {
    const page = await openLoggedIn();
    const line = '\u00a0__Host-gatehouse=evil; Domain=example.localhost; Path=/api; Secure';
    await open(`${site.sibling}/?${Buffer.from(line, 'latin1').toString('base64url')}`);
    const sent = page.waitForRequest((request) => request.url().endsWith('/me'));
    expect(await send(page, '/api/auth/me')).to.equal(200);
    // The browser stores and sends the cookie: only the server can distinguish the two.
    expect((await (await sent).allHeaders()).cookie).to.contain('__Host-gatehouse=evil');
  });

  it('is sent for the address bar and for navigation within the site', async () => {
    await openLoggedIn();
    const bar = await context.newPage();
    expect((await bar.goto(`${site.url}/api/auth/me`))?.status()).to.equal(200);
    const own = await open(site.url);
    const response = own.waitForResponse((answer) => answer.url().endsWith('/me'));
    await own.evaluate(`location.href = '/api/auth/me'`);
    expect((await response).status()).to.equal(200);
  });

  it('works with the program of docs/cookie-sessions.md, which opens the login page at its end', async () => {
    const page = await open(site.url);
    await page.evaluate(await bundleDocumented('docs/cookie-sessions.md'));
    const call = (code: string) =>
      page.evaluate(`app.accounts.${code}.then(({ response }) => response.status)`);
    const body = JSON.stringify({ body: { email: user.email, password: user.password } });
    expect(await call(`POST('/api/auth/login', ${body})`)).to.equal(200);
    expect(await call(`GET('/api/auth/me')`)).to.equal(200);
    expect(await call(`POST('/api/auth/session/token')`)).to.equal(200);
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).to.equal('{}');
    expect(await call(`POST('/api/auth/logout')`)).to.equal(200);
    await page.evaluate(`void app.accounts.GET('/api/auth/me')`);
    await page.waitForURL(`${site.url}/login`);
  });

  it('is deleted from the browser after a logout', async () => {
    const page = await openLoggedIn();
    expect(await send(page, '/api/auth/logout', { method: 'POST' })).to.equal(200);
    expect(await values()).to.deep.equal([]);
    expect(await send(page, '/api/auth/me')).to.equal(401);
  });
});
