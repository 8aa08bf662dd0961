import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { useBrowser } from '../../../support/browser.ts';
import { freePort } from '../../../support/free-port.ts';
import { openTestService, type Reply, type TestService, type User } from '../../../support/service.ts';
import { bundleDocumented } from '../bundle-documented.ts';
import { addAuthenticator } from './authenticator.ts';

const REFUSED = { code: 'invalid_passkey', status: 401 };

describe('Passkeys in a browser with the program of docs/passkeys.md', () => {
  const browser = useBrowser();
  let service: TestService;
  let script: string;
  let origin: string;
  let context: BrowserContext;
  let user: User;

  before(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const settings = { PASSKEYS: 'on', PASSKEY_RP_ID: 'localhost', PASSKEY_ORIGINS: origin };
    service = await openTestService({ ...settings, ACCOUNTS_PORT: String(port) });
    script = await bundleDocumented('docs/passkeys.md');
  });
  after(() => service?.close());
  beforeEach(async () => {
    user = await service.signUp();
    context = await browser().newContext();
    // The page exists at every origin. Other requests reach the service.
    await context.route(
      ({ pathname }) => pathname === '/page',
      (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A page</title>' }),
    );
  });
  afterEach(async () => {
    await context.close();
    service.checkAnswers();
  });

  const open = async (backupEligible = false, at = origin) => {
    const page = await context.newPage();
    await page.goto(`${at}/page`);
    await page.evaluate(script);
    return { page, device: await addAuthenticator(page, backupEligible) };
  };
  /** Calls a function of the example. Returns its result or its error. */
  const call = (page: Page, name: string, ...args: readonly unknown[]): Promise<Reply['body']> =>
    page.evaluate(
      `app.${name}(...${JSON.stringify(args)}).catch(({ name, message, status }) => status ? { code: message, status } : { name })`,
    );
  /** Calls a function of the example with the tokens of a signed-in user. */
  const callAs = async (token: unknown, page: Page, name: string, ...args: readonly unknown[]) => {
    const tokens = JSON.stringify(JSON.stringify({ token, refreshToken: 'none' }));
    await page.evaluate(`localStorage.setItem('gatehouse', ${tokens})`);
    return call(page, name, ...args);
  };
  /** The page’s response to the options of a `begin` call. `edited` replaces members of the options. */
  const answer = async ({ body }: Reply, page: Page, verb: 'create' | 'get', edited: object = {}) => {
    const kind = verb === 'create' ? 'Creation' : 'Request';
    const options = JSON.stringify({ ...body.options, ...edited });
    const credential = await page.evaluate(
      `navigator.credentials.${verb}({ publicKey: PublicKeyCredential.parse${kind}OptionsFromJSON(${options}) }).then((credential) => credential.toJSON())`,
    );
    return { flow: body.flow, credential };
  };
  const post = (path: string, body: object, token?: string) =>
    service.post(`/api/auth/${path}`, body, token === undefined ? {} : { token });
  const refusal = ({ status, body }: Reply) => ({ code: body?.code, status });
  const list = async () =>
    (await service.request('GET', '/api/auth/passkeys', { token: user.token })).body.passkeys;
  const pending = async () => {
    const { email, password } = user;
    return (await post('login', { email, password })).body.pendingToken;
  };

  it('are added, listed, and sign in without an email', async () => {
    const { page, device } = await open();
    const added = await callAs(user.token, page, 'addPasskey', 'Laptop');
    expect(added).to.include({ name: 'Laptop', rpId: 'localhost', userVerified: true, backedUp: false });
    expect(await list()).to.deep.equal([added]);
    expect(await device.holds()).to.deep.equal(['localhost']);
    expect(await callAs(user.token, page, 'addPasskey')).to.deep.equal({ name: 'InvalidStateError' });

    const { token, user: signedIn } = await call(page, 'signIn');
    expect(signedIn?.id).to.equal(user.id);
    const { status } = await service.request('GET', '/api/auth/me', { token: String(token) });
    expect(status).to.equal(200);
  });

  it('serve as second factor and as fresh proof', async () => {
    const { page } = await open();
    await callAs(user.token, page, 'addPasskey');
    expect((await post('2fa/passkey', { enable: true }, user.token)).status).to.equal(200);
    const { token } = await call(page, 'answerSecond', user.email, await pending());
    expect(token).to.be.a('string');

    service.clock.advance(11 * 60_000);
    const stale = { code: 'fresh_authentication_needed', status: 403 };
    expect(refusal(await post('passkeys/begin', {}, String(token)))).to.deep.equal(stale);
    // The service accepts the call; then the browser refuses, since the device already has a passkey.
    expect(await callAs(token, page, 'addPasskey')).to.deep.equal({ name: 'InvalidStateError' });
    expect((await post('passkeys/begin', {}, String(token))).status).to.equal(200);
    service.clock.advance(11 * 60_000);
    const { token: newToken } = await call(page, 'signIn');
    expect(await callAs(newToken, page, 'prove')).to.have.all.keys('success', 'freshUntil');
  });

  it('B3: do not sign in without a PIN or fingerprint, but serve as second factor', async () => {
    const { page, device } = await open();
    await callAs(user.token, page, 'addPasskey');
    expect((await post('2fa/passkey', { enable: true }, user.token)).status).to.equal(200);
    await device.verifies(false);
    expect(await call(page, 'signIn')).to.deep.equal({ name: 'NotAllowedError' });
    // The page requests less verification than the service required.
    const noVerification = { userVerification: 'discouraged' };
    const login = await answer(await post('login/passkey/begin', {}), page, 'get', noVerification);
    expect(refusal(await post('login/passkey', login))).to.deep.equal(REFUSED);

    const { email } = user;
    const pendingToken = await pending();
    const options = await post('login/second/begin', { email, pendingToken });
    const passkey = await answer(options, page, 'get', noVerification);
    expect((await post('login', { email, pendingToken, passkey })).status).to.equal(200);
  });

  it('B3: do not sign in or prove if the answer lacks user verification, but serve as second factor', async () => {
    const { page, device } = await open();
    await callAs(user.token, page, 'addPasskey');
    expect((await post('2fa/passkey', { enable: true }, user.token)).status).to.equal(200);
    await device.conceals(true);
    expect(await call(page, 'signIn')).to.deep.equal(REFUSED);
    expect(await callAs(user.token, page, 'prove')).to.deep.equal(REFUSED);
    const { token } = await call(page, 'answerSecond', user.email, await pending());
    expect(token).to.be.a('string');
    await device.conceals(false);
    expect((await call(page, 'signIn')).user?.id).to.equal(user.id);
  });

  it('work in browsers without the JSON methods of PublicKeyCredential', async () => {
    await context.addInitScript(`
      for (const name of ['parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON']) delete PublicKeyCredential[name];
      delete PublicKeyCredential.prototype.toJSON;
    `);
    const { page } = await open();
    expect(await page.evaluate('"toJSON" in PublicKeyCredential.prototype')).to.equal(false);
    const added = await callAs(user.token, page, 'addPasskey', 'Old browser');
    expect(added).to.include({ name: 'Old browser', userVerified: true });
    expect(await list()).to.deep.equal([added]);
    expect(added.transports).to.deep.equal(['internal']);
    expect(await callAs(user.token, page, 'addPasskey')).to.deep.equal({ name: 'InvalidStateError' });
    expect((await call(page, 'signIn')).user?.id).to.equal(user.id);
    expect(await callAs(user.token, page, 'prove')).to.have.all.keys('success', 'freshUntil');
    expect((await post('2fa/passkey', { enable: true }, user.token)).status).to.equal(200);
    expect((await call(page, 'answerSecond', user.email, await pending())).token).to.be.a('string');
  });

  it('B1: are refused from a page of another origin', async () => {
    const { page, device } = await open(false, `http://localhost:${await freePort()}`);
    const foreign = await answer(await post('passkeys/begin', {}, user.token), page, 'create');
    expect(refusal(await post('passkeys', foreign, user.token))).to.deep.equal({ ...REFUSED, status: 400 });
    expect(await device.holds()).to.deep.equal(['localhost']);
    expect(await list()).to.deep.equal([]);

    const own = await open();
    await callAs(user.token, own.page, 'addPasskey');
    await own.page.goto(page.url());
    const login = await answer(await post('login/passkey/begin', {}), own.page, 'get');
    expect(refusal(await post('login/passkey', login))).to.deep.equal(REFUSED);
    // The browser itself refuses a host that does not match the RP ID.
    await own.page.goto(`http://127.0.0.1:${new URL(origin).port}/page`);
    await own.page.evaluate(script);
    expect(await call(own.page, 'signIn')).to.deep.equal({ name: 'SecurityError' });
  });

  for (const backupEligible of [false, true])
    it(`B6: are ${backupEligible ? 'accepted' : 'refused'} as an older copy if they are ${backupEligible ? '' : 'not '}backup-eligible`, async () => {
      const { page, device } = await open(backupEligible);
      await callAs(user.token, page, 'addPasskey');
      for (const _ of [1, 2]) expect((await call(page, 'signIn')).token).to.be.a('string');
      await device.copyFrom(1);
      const copied = await call(page, 'signIn');
      if (backupEligible) expect(copied.user?.id).to.equal(user.id);
      else expect(copied).to.deep.equal(REFUSED);
      const events = service.log.lines.filter(
        ({ event, fields }) => event === 'passkey.counter_regressed' && fields.userId === user.id,
      );
      expect(events).to.have.length(1);
    });
});
