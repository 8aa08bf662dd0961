import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { hasCount, openPage, useBrowser } from '../../../support/browser.ts';
import { freePort } from '../../../support/free-port.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { addAuthenticator } from '../../browser/passkeys/authenticator.ts';

const CREATE = (options: unknown) =>
  `navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)}) }).then((credential) => credential.toJSON())`;

describe('An operator with a passkey as second factor', () => {
  const browser = useBrowser();
  let service: TestService;
  let origin: string;
  let context: BrowserContext;
  let page: Page;
  let authenticator: Awaited<ReturnType<typeof addAuthenticator>>;
  let user: User;

  before(async () => {
    const port = String(await freePort());
    origin = `http://localhost:${port}`;
    const settings = { PASSKEYS: 'on', PASSKEY_RP_ID: 'localhost', PASSKEY_ORIGINS: origin };
    service = await openTestService({ ...settings, CONSOLE_PORT: port, CONSOLE_URL: origin });
  });
  after(() => service?.close());

  const begin = async (hasUserVerification = true) => {
    ({ context, page } = await openPage(browser(), { locale: 'en-GB', reducedMotion: 'reduce' }));
    user = await service.signUp();
    const post = async (path: string, body: object) =>
      (await service.request('POST', `/api/auth/${path}`, { token: user.token, body })).body;
    await page.goto(`${origin}/sign-in`);
    authenticator = await addAuthenticator(page, false, hasUserVerification);
    const { flow, options } = await post('passkeys/begin', {});
    await post('passkeys', { flow, credential: await page.evaluate(CREATE(options)) });
    await post('2fa/passkey', { enable: true });
    await service.composition.accounts.operate.appoint(user.id, 'founder', { actor: 'operator:test' });
  };
  beforeEach(() => begin());
  afterEach(() => context.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The navigation, which is shown after the sign-in. */
  const navigation = () => page.getByRole('navigation', { name: 'Console' });
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const signInByBoth = async () => {
    await fill('Email', user.email);
    await fill('Password', user.password);
    await page.keyboard.press('Enter');
    await page.getByText('Use a passkey, or enter a recovery code.').waitFor();
    await button('Use a passkey').click();
    await navigation().waitFor();
  };

  /** Bans a user after the proof has become stale. */
  const banWithStaleProof = async () => {
    const { id } = await service.signUp();
    await page.goto(`${origin}/users/${id}`);
    await button('Restrict or delete').waitFor();
    service.clock.advance(601_000);
    await button('Restrict or delete').click();
    await button('Ban…').click();
    await fill('Reason', 'Spam');
    await button('Ban').click();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    return id;
  };

  it('signs in by password and passkey, and confirms a ban by the passkey', async () => {
    await signInByBoth();
    const id = await banWithStaleProof();
    await button('Use a passkey').click();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    expect((await service.composition.accounts.operate.showUser(id)).banned?.inForce).to.equal(true);
  });

  it('confirms a ban by a passkey without a PIN together with the password', async () => {
    await context.close();
    await begin(false);
    await signInByBoth();
    const id = await banWithStaleProof();
    await fill('Password', user.password);
    await button('Confirm').click();
    await page.getByRole('status').filter({ hasText: 'Banned' }).waitFor();
    expect((await service.composition.accounts.operate.showUser(id)).banned?.inForce).to.equal(true);
  });

  it('is not asked for a password if the proof methods are passkey and TOTP', async () => {
    await signInByBoth();
    const { id } = await service.signUp();
    await page.route(`**/api/admin/users/${id}/ban`, (route) =>
      route.fulfill({
        status: 403,
        json: { code: 'fresh_authentication_needed', message: '', maxAge: 600, methods: ['passkey', 'totp'] },
      }),
    );
    await page.goto(`${origin}/users/${id}`);
    await button('Restrict or delete').click();
    await button('Ban…').click();
    await fill('Reason', 'Spam');
    await button('Ban').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('button', { name: 'Use a passkey', exact: true }).waitFor();
    expect(await dialog.getByLabel('Password').count()).to.equal(0);
  });

  it('signs in by the passkey alone', async () => {
    await button('Use a passkey').click();
    await navigation().waitFor();
    await button(`Signed in as ${user.email}`).click();
    expect(await page.locator('.menu-list').textContent()).to.include(user.email);
  });

  it('sees why a passkey failed, and can still sign in by password and passkey', async () => {
    await authenticator.conceals(true);
    await button('Use a passkey').click();
    await page.getByText('This passkey was not accepted.').waitFor();
    await authenticator.conceals(false);
    await authenticator.verifies(false);
    await button('Use a passkey').click();
    await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor();
    await authenticator.verifies(true);
    await signInByBoth();
    expect(new URL(page.url()).pathname).to.equal('/');
  });

  it('cannot sign in by the passkey after the dismissal', async () => {
    const other = await service.signUp();
    const { operate } = service.composition.accounts;
    await operate.appoint(other.id, 'founder', { actor: 'operator:test' });
    await operate.dismiss(user.id, { actor: 'operator:test' });
    await button('Use a passkey').click();
    await page.getByText('You are not an operator, or your role is too low.').waitFor();
    expect(await context.cookies()).to.deep.equal([]);
  });
});

describe('A console at an origin without passkeys', () => {
  const browser = useBrowser();

  it('does not offer passkeys', async () => {
    const service = await openTestService({
      ...{ PASSKEYS: 'on', PASSKEY_RP_ID: 'localhost', PASSKEY_ORIGINS: 'http://localhost:3000' },
    });
    const { context, page } = await openPage(browser(), { locale: 'en-GB' });
    await page.goto(`${service.consoleUrl}/sign-in`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await hasCount(page.getByRole('button', { name: 'Use a passkey' }), 0);
    await context.close();
    await service.close();
  });
});
