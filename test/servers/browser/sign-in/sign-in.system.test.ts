import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { useBrowser } from '../../../support/browser.ts';
import { freePort } from '../../../support/free-port.ts';
import {
  openIdentityProvider,
  type TestIdentityProvider,
} from '../../../support/servers/identity-provider.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { turnOnFactor } from '../../accounts/second-factor/factor.ts';
import { openExampleApp, withExample } from './example-app.ts';

const STAFF = 'ada@staff.example';
const OTHER = 'ada@other.example';
const MINUTE_MS = 60_000;
const PASSWORD = 'correct horse battery';
const CLIENT = { id: 'client-1', secret: 'the-secret-of-this-test' };

/** The settings for a provider that runs in this process. */
const settingsOf = (id: string, { issuer }: TestIdentityProvider) => ({
  [`OIDC_${id}_ISSUER`]: issuer,
  [`OIDC_${id}_NAME`]: id,
  [`OIDC_${id}_CLIENT_ID`]: CLIENT.id,
  [`OIDC_${id}_CLIENT_SECRET`]: CLIENT.secret,
});

describe('Sign-in with providers in a browser with the examples of docs/sign-in.md', () => {
  const browser = useBrowser();
  let app: Awaited<ReturnType<typeof openExampleApp>>;
  let providers: readonly TestIdentityProvider[];
  let service: TestService;
  let serverPort: number;

  before(async () => {
    const port = await freePort();
    serverPort = await freePort();
    const open = (id: string, claims: Readonly<Record<string, unknown>>) =>
      openIdentityProvider({
        redirectUri: `http://127.0.0.1:${port}/api/auth/providers/${id}/callback`,
        client: CLIENT,
        claims,
      });
    const [staff, other] = await Promise.all([
      open('staff', { email: STAFF, email_verified: true, name: 'Ada' }),
      open('other', { email: OTHER, email_verified: false }),
    ]);
    providers = [staff, other];
    app = await openExampleApp();
    service = await openTestService({
      ACCOUNTS_PORT: String(port),
      OIDC_PROVIDERS: 'staff,other',
      ...settingsOf('STAFF', staff),
      ...settingsOf('OTHER', other),
      SIGN_IN_REDIRECTS: `${app.origin}/signed-in,http://127.0.0.1/done,http://127.0.0.1/signed-in`,
      CORS_ORIGINS: app.origin,
      COOKIE_SESSIONS: 'on',
      COOKIE_ORIGINS: `http://127.0.0.1:${serverPort}`,
    });
    app.use(service.url);
  });
  after(async () => {
    await service?.close();
    await app?.close();
    await Promise.all((providers ?? []).map((provider) => provider.close()));
  });

  let context: BrowserContext;
  beforeEach(async () => {
    context = await browser().newContext();
  });
  afterEach(async () => {
    await context.close();
    service.checkAnswers();
  });

  /** A tab of the app, whose dialogs get the answers in their order. */
  const openApp = async (answers: readonly (() => Promise<string>)[] = []): Promise<Page> => {
    const page = await context.newPage();
    const remaining = [...answers];
    page.on('dialog', async (dialog) => {
      await dialog.accept(await remaining.shift()?.());
    });
    await page.goto(app.origin);
    return page;
  };
  const shows = async (page: Page, text: string) => {
    const output = await page.waitForSelector(`output:text-is("${text}")`);
    expect(await output.textContent()).to.equal(text);
  };
  const press = (page: Page, name: string) => page.click(`button:text-is("${name}")`);

  it('asks for an email and its code if the provider has no verified email', async () => {
    const email = 'named@example.com';
    const page = await openApp([async () => email, () => service.codeFor(email)]);
    await shows(page, 'Nobody is logged in.');
    await press(page, 'OTHER');
    await shows(page, `${email} other`);
  });

  it('links the identity to the existing account of its email after its password', async () => {
    await service.signUp({ email: STAFF, password: PASSWORD });
    const page = await openApp([async () => PASSWORD]);
    await press(page, 'STAFF');
    await shows(page, `${STAFF} staff`);
  });

  it('signs in, removes the code from the address, and keeps no cookie of the flow', async () => {
    const page = await openApp();
    await press(page, 'STAFF');
    await shows(page, `${STAFF} staff`);
    expect(page.url()).to.equal(`${app.origin}/signed-in`);
    const names = (await context.cookies(service.url)).map(({ name }) => name);
    expect(names.filter((name) => name.includes('gh-flow'))).to.deep.equal([]);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('adds an identity after a fresh proof by the provider', async () => {
    // The providers use the real clock, so the login is dated back.
    service.clock.advance(-11 * MINUTE_MS);
    const login = await service.post('/api/auth/login', { email: STAFF, password: PASSWORD });
    service.clock.advance(11 * MINUTE_MS);
    const page = await openApp();
    await page.evaluate(`localStorage.setItem('gatehouse', ${JSON.stringify(JSON.stringify(login.body))})`);
    await page.reload();
    await shows(page, `${STAFF} staff`);
    await press(page, 'Add STAFF');
    await page.waitForURL(`${app.origin}/signed-in`);
    await shows(page, `${STAFF} staff`);
    expect(service.log.lines.map(({ event }) => event)).to.include('proof.succeeded');
    const confirmed = page.waitForResponse(
      (response) => response.url().endsWith('/link/confirm') && response.request().method() === 'POST',
    );
    await press(page, 'Add STAFF');
    expect((await confirmed).status()).to.equal(200);
  });

  it('works for a server-rendered app with a session in a cookie of its site', async () => {
    await withExample('page-server.mjs', async (file) => {
      const env = { ...process.env, ACCOUNTS: service.url, PORT: String(serverPort), PROVIDER: 'staff' };
      const server = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        await once(server.stdout, 'data');
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${serverPort}/log-in`);
        await page.waitForURL(`http://127.0.0.1:${serverPort}/`);
        expect(await page.textContent('body')).to.equal(`Hello ${STAFF}`);
        const stranger = await browser().newContext();
        const tab = await stranger.newPage();
        const refused = await tab.goto(`http://127.0.0.1:${serverPort}/signed-in?code=x&state=y`);
        expect(refused?.status()).to.equal(400);
        await stranger.close();
      } finally {
        server.kill();
        await once(server, 'exit');
      }
    });
  });

  /** Signs in by the native app. Returns its last line. `meanwhile` gets the address at which the app listens. */
  const signInNatively = (meanwhile: (redirectUri: string) => Promise<unknown> = async () => undefined) =>
    withExample('native.mjs', async (file): Promise<unknown> => {
      const native = spawn(process.execPath, [file, service.url, 'staff'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(native, 'exit');
      const lines = createInterface({ input: native.stdout })[Symbol.asyncIterator]();
      const address = String((await lines.next()).value).replace(/^Open /, '');
      await meanwhile(new URL(address).searchParams.get('redirectUri') ?? '');
      const page = await context.newPage();
      await page.goto(address);
      expect(await page.textContent('body')).to.equal('You can close this page.');
      const { value } = await lines.next();
      await exited;
      return value;
    });

  it('works for a native app at a loopback address despite requests of other programs', async () => {
    const intrude = async (redirectUri: string) => {
      for (const path of ['/favicon.ico', '/done', '/done?code=x&state=y'])
        await fetch(new URL(path, redirectUri));
    };
    expect(await signInNatively(intrude)).to.equal(`Logged in: ${STAFF}`);
  });

  it('asks for the second factor at a sign-in and at a proof', async () => {
    const logIn = (more: object = {}) =>
      service.post('/api/auth/login', { email: STAFF, password: PASSWORD, ...more });
    const { recoveryCodes } = await turnOnFactor(service, { token: String((await logIn()).body.token) });
    const [first = '', second = '', third = ''] = recoveryCodes;

    const page = await openApp([async () => first, async () => PASSWORD, async () => third]);
    await press(page, 'STAFF');
    await shows(page, `${STAFF} staff`);
    expect(await signInNatively()).to.equal('One more step is needed.');

    service.clock.advance(-11 * MINUTE_MS);
    const old = await logIn({ verificationCode: second });
    service.clock.advance(11 * MINUTE_MS);
    await page.evaluate(`localStorage.setItem('gatehouse', ${JSON.stringify(JSON.stringify(old.body))})`);
    await page.goto(app.origin);
    await shows(page, `${STAFF} staff`);
    const proofs = () => service.log.lines.filter(({ event }) => event === 'proof.succeeded').length;
    const before = proofs();
    await press(page, 'Add OTHER');
    await page.waitForURL(`${app.origin}/signed-in`);
    await shows(page, `${STAFF} staff`);
    expect(proofs()).to.equal(before + 1);
  });
});
