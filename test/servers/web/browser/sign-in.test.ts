import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { hasCount, hasFocus, openPage, useBrowser } from '../../../support/browser.ts';
import { useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { codeAt, signUpWithFactor } from '../../accounts/second-factor/factor.ts';
import { faults } from '../screens.ts';

const password = 'correct horse battery';

describe('The sign-up and sign-in pages', () => {
  const service = useService({
    ...{ SUPPORT_URL: 'https://example.com/help', TERMS_URL: 'https://example.com/terms' },
    PRIVACY_URL: 'https://example.com/privacy',
  });
  const browser = useBrowser();
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeEach(async () => {
    ({ context, page, complaints } = await openPage(browser(), { locale: 'en-GB', reducedMotion: 'reduce' }));
  });
  afterEach(async () => {
    // Expected refusals also appear in the console of the browser; other errors must not.
    const unexpected = complaints.filter((text) => !/answered 4\d\d$|status of 4\d\d/.test(text));
    await context.close();
    expect(unexpected).to.deep.equal([]);
  });

  const open = async (path: string) => {
    await page.goto(service().url + path);
    await page.getByRole('contentinfo').waitFor();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const arrives = async (path: string) => {
    await page.waitForURL(`${service().url}${path}`);
    await hasCount(page.locator('main'), 1);
  };
  const signIn = async (email: string, typed = password) => {
    await open('/account/sign-in');
    await fill('Email', email);
    await fill('Password', typed);
    await button('Sign in').click();
  };

  it('pass axe in each language, theme and width', async () => {
    const problems: string[] = [];
    for (const path of [
      '',
      'account/sign-up',
      'account/verify',
      'account/sign-in',
      'account/forgot',
      'account/reset',
    ]) {
      await open(`/${path}`);
      problems.push(...(await faults(page, `/${path}`)));
    }
    expect(problems).to.deep.equal([]);
    expect(await page.evaluate('document.cookie')).to.equal('');
  });

  it('work from sign-up to the account by keyboard alone, and hide the session from scripts', async () => {
    const email = 'kay@example.com';
    await open('/account/sign-up');
    await hasFocus(page, 'name', 'email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.getByText('Use 8 characters or more.').waitFor();
    // The error replaces the hint.
    await hasCount(page.getByText('8 characters or more', { exact: true }), 0);
    await hasFocus(page, 'name', 'password');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await arrives('/account/verify');
    await hasFocus(page, 'name', 'code');
    // The title changes one frame after the page is shown.
    await until(async () => (await page.title()) === 'Check your email – Gatehouse');
    const code = await service().codeFor(email);
    await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.keyboard.press('Enter');
    await arrives('/account');
    const [cookie] = await context.cookies();
    expect(cookie?.httpOnly).to.equal(true);
    const stored = String(
      await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])'),
    );
    expect(stored)
      .to.not.include(String(cookie?.value))
      .and.to.not.match(/ey[A-Z]/);
  });

  it('ask at sign-up for consent to the terms and the privacy policy', async () => {
    await open('/account/sign-up');
    const consent = page.getByText('By creating an account, you agree to the');
    expect(await consent.textContent()).to.equal(
      'By creating an account, you agree to the Terms of Service and the Privacy Policy.',
    );
    const links = consent.getByRole('link');
    expect(await links.nth(0).getAttribute('href')).to.equal('https://example.com/terms');
    expect(await links.nth(1).getAttribute('href')).to.equal('https://example.com/privacy');
  });

  it('explain a malformed email, and link to the sign-in if the account exists', async () => {
    const { email } = await service().signUp();
    await open('/account/sign-up');
    await fill('Email', 'nobody');
    await fill('Password', password);
    await button('Create account').click();
    await page.getByText('Enter an email, such as ada@example.com.').waitFor();
    await fill('Email', email);
    await button('Create account').click();
    await page.getByRole('link', { name: 'Sign in with it' }).click();
    await arrives('/account/sign-in');
    expect(await page.getByLabel('Email').inputValue()).to.equal(email);
  });

  it('ask for the second factor after the password, and restart an expired sign-in', async () => {
    const user = await service().signUp();
    const { body: setup } = await service().post('/api/auth/2fa', { enable: true }, { token: user.token });
    const secret = String(setup.secret);
    const confirm = { enable: true, secret, verificationCode: codeAt(secret, service().clock.now()) };
    await service().post('/api/auth/2fa', confirm, { token: user.token });
    await signIn(user.email);
    await page.getByText('Enter the code from your authenticator app.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor();
    await page.getByText(`Signing in as ${user.email}`).waitFor();
    await hasFocus(page, 'name', 'code');
    expect(await context.cookies()).to.deep.equal([]);
    await fill('Code', '000000');
    await button('Continue').click();
    const refusal = page.getByText('This code is wrong, or was used before.');
    await refusal.waitFor();
    await button('Use a recovery code').click();
    await hasCount(refusal, 0);
    await button('Use the authenticator app').click();
    service().clock.advance(301_000);
    await fill('Code', codeAt(secret, service().clock.now()));
    await button('Continue').click();
    await page.getByRole('alert').filter({ hasText: 'This sign-in has expired. Sign in again.' }).waitFor();
    await fill('Password', user.password);
    await button('Sign in').click();
    await fill('Code', codeAt(secret, service().clock.now()));
    await button('Continue').click();
    await arrives('/account');
  });

  it('redirect to the account if `next` names no page or the sign-in itself', async () => {
    const { email } = await service().signUp();
    for (const next of ['/account/nowhere', '/account/sign-in', 'toString']) {
      await context.clearCookies();
      await open(`/account/sign-in?next=${next}`);
      await fill('Email', email);
      await fill('Password', password);
      await button('Sign in').click();
      await page.getByLabel('Name', { exact: true }).waitFor();
      expect(page.url()).to.equal(`${service().url}/account`);
    }
  });

  it('keep `next` if the user chooses another account at the second factor', async () => {
    const { user } = await signUpWithFactor(service());
    const other = await service().signUp();
    await open(`/account/sign-in?next=/account/sessions&email=${user.email}`);
    await fill('Password', user.password);
    await button('Sign in').click();
    await button('Use another account').click();
    await fill('Password', other.password);
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).to.equal('');
    await fill('Email', other.email);
    await button('Sign in').click();
    await arrives('/account/sessions');
  });

  it('keep `next` in the link for a forgotten password after a lockout', async () => {
    const json = { code: 'login_held', message: 'Held.' };
    const refusal = { status: 429, headers: { 'Retry-After': '60' }, json };
    await page.route('**/api/auth/login', (route) => route.fulfill(refusal));
    await open('/account/sign-in?next=/account');
    await fill('Email', 'kay@example.com');
    await fill('Password', password);
    await button('Sign in').click();
    await page.getByRole('alert').getByRole('link', { name: 'Forgot password?' }).click();
    await arrives('/account/forgot?next=%2Faccount');
  });

  it('reset a forgotten password by a code from a mail', async () => {
    const { email } = await service().signUp();
    await signIn(email, 'wrong horse battery');
    await page.getByText('Email or password is wrong.').waitFor();
    expect(await context.cookies()).to.deep.equal([]);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await fill('Email', email);
    await button('Send the code').click();
    await arrives('/account/reset');
    // Password managers need the email.
    expect(await page.locator('form [autocomplete=username]').inputValue()).to.equal(email);
    const { text } = await service().mailTo(email, 2);
    await fill('Code', /\b[A-Z0-9]{5}-[A-Z0-9]{5}\b/.exec(text)?.[0] ?? '');
    await fill('New password', 'another horse battery');
    await button('Set password').click();
    await page.getByText('Your new password is set. You can now sign in.').waitFor();
    await fill('Password', 'another horse battery');
    await button('Sign in').click();
    await arrives('/account');
  });
});
