import { expect } from 'chai';
import { hasCount } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import { providerIdentity } from '../../../support/scripted-providers.ts';
import type { User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { turnOnFactor } from '../../accounts/second-factor/factor.ts';
import { usePages } from './open-pages.ts';

const BY = { actor: 'tests', reason: 'a test' };

describe('The account pages on failures', () => {
  const pages = usePages({
    SIGN_IN_REDIRECTS: 'https://app.example.com/signed-in,com.example.app:/signed-in',
  });
  const { arrives, button, fill, open, sees, service } = pages;
  let user: User;
  beforeEach(async () => {
    user = await service().signUp();
    await pages.begin(user);
  });

  /** Waits until the page has processed its last answer and is painted. */
  const settle = () =>
    pages.page().evaluate(`(async () => {
      for (let count = 0; count < 3; count += 1) await (await fetch('/api/auth/me')).text();
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    })()`);

  it('hide their content after a sign-out in another tab, and show it after a sign-in', async () => {
    await open('/account/sessions');
    await sees('This device');
    const other = await pages.context().newPage();
    await other.goto(`${pages.origin()}/account`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/account/sign-in');
    await sees('You were signed out');
    await pages.page().getByText('This device', { exact: true }).waitFor({ state: 'detached' });
    await pages.page().getByRole('link', { name: 'Sign in again' }).click();
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await arrives('/account/sessions');
  });

  it('switch to the account of a user who signs in in another tab', async () => {
    const other = await service().signUp();
    await pages.begin();
    const tab = await pages.context().newPage();
    await tab.goto(`${pages.origin()}/account/sign-in?next=/account/sessions`);
    await open('/account/sign-in');
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await arrives('/account');
    await sees(user.email);
    await tab.getByLabel('Email', { exact: true }).fill(other.email);
    await tab.getByLabel('Password', { exact: true }).fill(other.password);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByText('This device').waitFor();
    await sees(other.email);
    await hasCount(pages.page().getByText(user.email), 0);
    await hasCount(pages.page().getByRole('dialog'), 0);
  });

  it('let the user reset the password after the session has ended', async () => {
    await open('/account/sessions');
    await sees('This device');
    await pages.context().clearCookies();
    await pages.page().getByRole('link', { name: 'Profile' }).click();
    await pages.page().getByRole('link', { name: 'Sign in again' }).click();
    await pages.page().getByRole('link', { name: 'Forgot password?' }).click();
    await fill('Email', user.email);
    await button('Send the code').click();
    await sees('Set a new password');
    await hasCount(pages.page().getByRole('dialog'), 0);
  });

  it('ask for a sign-in after a signed-in user has reset the password', async () => {
    await open('/account/security');
    await button('Change password').click();
    await pages.page().getByRole('link', { name: 'Forgot password?' }).click();
    await fill('Email', user.email);
    await button('Send the code').click();
    await arrives('/account/reset');
    const { text } = await service().mailTo(user.email, 2);
    await fill('Code', /\b[A-Z0-9]{5}-[A-Z0-9]{5}\b/.exec(text)?.[0] ?? '');
    await fill('New password', 'another horse battery');
    await button('Set password').click();
    await sees('Your new password is set. You can now sign in.');
    await hasCount(pages.page().getByRole('dialog'), 0);
    await fill('Password', 'another horse battery');
    await button('Sign in').click();
    await arrives('/account');
  });

  it('show that a sign-out failed, and end the session by `Try again`', async () => {
    const signIn = `/account/sign-in?${new URLSearchParams({
      return_to: 'https://app.example.com/signed-in',
      state: 'state-of-the-app-1',
      code_challenge: 'c'.repeat(43),
    })}`;
    const { operate } = service().composition.accounts;
    for (const [path, name, restrict] of [
      ['/account', 'Sign out'],
      [signIn, 'Use another account'],
      ['/account', 'Sign out', () => operate.ban(user.id, { reason: BY.reason, until: null }, BY)],
    ] as const) {
      await pages.begin(user);
      await restrict?.();
      await pages.context().route('**/api/auth/logout', (route) => route.abort());
      await open(path);
      await button(name).last().click();
      await sees('No connection. Check your network, then try again.');
      await pages.context().unroute('**/api/auth/logout');
      await button('Try again').click();
      await pages.page().getByLabel('Password', { exact: true }).waitFor();
      expect(await pages.context().cookies()).to.deep.equal([]);
    }
  });

  it('explain at the sign-in that the browser blocks cookies', async () => {
    await pages.begin();
    await pages.context().route('**/api/auth/login', async (route) => {
      const response = await route.fetch();
      await pages.context().clearCookies();
      const { 'set-cookie': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await open('/account/sign-in');
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await sees('Your browser blocks cookies. Allow them for this site, then sign in again.');
    expect(new URL(pages.page().url()).pathname).to.equal('/account/sign-in');
  });

  it('do not ask for a proof for a page that the user has left', async () => {
    const released = makeGate();
    let calls = 0;
    await pages.context().route('**/api/auth/sessions', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      calls += 1;
      await released.isOpen;
      const json = {
        code: 'fresh_authentication_needed',
        message: 'Old.',
        maxAge: 600,
        methods: ['password'],
      };
      return route.fulfill({ status: 403, json });
    });
    await open('/account/sessions');
    const refused = pages.page().waitForResponse((response) => response.status() === 403);
    await button('Sign out all other sessions').click();
    await pages.page().getByRole('link', { name: 'Profile' }).click();
    await pages.page().getByLabel('Name', { exact: true }).waitFor();
    released.open();
    await (await refused).finished();
    await settle();
    expect(await pages.page().getByRole('dialog').count()).to.equal(0);
    expect(calls).to.equal(1);
  });

  it('show the end of the session once two concurrent calls are refused', async () => {
    await open('/account/sessions');
    await sees('This device');
    const refusals: (() => Promise<void>)[] = [];
    await pages.context().route(/\/api\/(?:auth\/me|services)$/, async (route) => {
      const json = { code: 'invalid_token', message: 'Over.' };
      refusals.push(() => route.fulfill({ status: 401, json }));
      if (refusals.length === 2) await Promise.all(refusals.map((refuse) => refuse()));
    });
    await pages.page().getByRole('link', { name: 'Profile' }).click();
    await sees('You were signed out');
  });

  for (const [effect, answer] of [
    ['refuses the session', { status: 401, json: { code: 'invalid_token', message: 'Over.' } }],
    ['finds the session', undefined],
  ] as const)
    it(`ignore a late answer that ${effect} of before a sign-in`, async () => {
      const other = await service().signUp();
      const released = makeGate();
      await pages.context().route(
        '**/api/auth/me',
        async (route) => {
          const response = answer ?? { response: await route.fetch() };
          await released.isOpen;
          await route.fulfill(response);
        },
        { times: 1 },
      );
      await open('/account/sign-in?next=/account/security');
      const late = pages.page().waitForResponse('**/api/auth/me');
      await fill('Email', other.email);
      await fill('Password', other.password);
      await button('Sign in').click();
      await arrives('/account/security');
      await sees('A new password signs out your other devices.');
      released.open();
      await (await late).finished();
      await settle();
      expect(new URL(pages.page().url()).pathname).to.equal('/account/security');
      expect(await pages.page().getByRole('dialog').count()).to.equal(0);
      await sees(other.email);
    });

  it('offer a banned user only the sign-out and the deletion', async () => {
    await service().composition.accounts.operate.ban(user.id, { reason: BY.reason, until: null }, BY);
    await open('/account');
    await sees('This account is banned. You can sign out or delete it.');
    await hasCount(pages.page().getByRole('navigation'), 0);
    await hasCount(pages.page().getByText(BY.reason), 0);
    await pages.page().getByRole('link', { name: 'Delete account' }).click();
    await fill(`Type ${user.email} to confirm`, user.email);
    await fill('Password', user.password);
    await button('Delete account').click();
    await arrives('/account/gone');
    await sees('Your account is deleted.');
    expect(await pages.context().cookies()).to.deep.equal([]);
  });

  it('show the account again after an unban, without a reload', async () => {
    const { operate } = service().composition.accounts;
    await operate.ban(user.id, { reason: BY.reason, until: null }, BY);
    await open('/account');
    await sees('This account is banned. You can sign out or delete it.');
    await operate.unban(user.id, BY);
    await pages.page().getByRole('link', { name: 'Delete account' }).click();
    await pages.page().getByRole('link', { name: 'Cancel' }).click();
    await pages.page().getByLabel('Name', { exact: true }).waitFor();
  });

  it('show the account of the next user after a banned user has signed out', async () => {
    const other = await service().signUp();
    await service().composition.accounts.operate.ban(user.id, { reason: BY.reason, until: null }, BY);
    await open('/account');
    await sees('This account is banned. You can sign out or delete it.');
    await pages.page().locator('main').getByRole('button', { name: 'Sign out' }).click();
    await arrives('/account/sign-in');
    await fill('Email', other.email);
    await fill('Password', other.password);
    await button('Sign in').click();
    await arrives('/account');
    await pages.page().getByLabel('Name', { exact: true }).waitFor();
  });

  it('retry after a short Retry-After by themselves, and otherwise by `Try again`', async () => {
    const answers = [['1'], ['60'], []] as const;
    let requests = 0;
    await pages.context().route('**/api/auth/sessions', (route) => {
      const [wait] = answers[requests++] ?? [];
      return wait === undefined
        ? route.continue()
        : route.fulfill({
            status: 503,
            headers: { 'Retry-After': wait },
            json: { code: 'busy', message: 'Busy.' },
          });
    });
    await open('/account/sessions');
    await sees('This is temporarily unavailable. Try again in a moment.');
    expect(requests).to.equal(2);
    await button('Try again').click();
    await sees('This device');
  });

  it('show an error if texts do not load, and load them by `Try again`', async () => {
    await open('/account/security');
    await sees('A new password signs out your other devices.');
    const released = makeGate();
    const TEXTS = /\/account\/files\/settings-en\./;
    await pages.context().route(TEXTS, async (route) => {
      await released.isOpen;
      await route.abort();
    });
    const requested = pages.page().waitForRequest(TEXTS);
    await pages.page().getByRole('link', { name: 'Sessions' }).click();
    await requested;
    await pages.page().goBack();
    await pages.page().getByRole('link', { name: 'Profile' }).click();
    released.open();
    await sees('No connection. Check your network, then try again.');
    await pages.context().unroute(TEXTS);
    await button('Try again').click();
    await pages.page().getByLabel('Name', { exact: true }).waitFor();
  });

  it('load the files of a new version by `Try again`', async () => {
    const FILES = /\/account\/files\/security\./;
    await open('/account');
    await pages.context().route(FILES, (route) => route.fulfill({ status: 404 }));
    await pages.page().getByRole('link', { name: 'Security' }).click();
    await sees('No connection. Check your network, then try again.');
    // The reloaded page names the new files.
    await pages.context().route('**/account/security', async (route) => {
      await pages.context().unroute(FILES);
      await route.continue();
    });
    await button('Try again').click();
    await button('Change password').waitFor();
  });

  const buyPro = async () => {
    const { token } = user;
    const { body } = await service().request('GET', '/api/billing/checkout?plan=pro&billingCycle=monthly', {
      ...{ token, headers: { Accept: 'application/json' } },
    });
    await fetch(`${body.url}/pay`, { method: 'POST', redirect: 'manual' });
    await until(async () => (await service().request('GET', '/api/subscription', { token })).status === 200);
  };

  it('show the price of the current plan even if the prices of plans are unavailable', async () => {
    await buyPro();
    await pages.context().route('**/api/billing/plans', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'price_unavailable', message: 'The prices are unavailable.' },
      }),
    );
    await open('/account/plan');
    await pages.page().getByText('/ month').waitFor();
    await hasCount(pages.page().getByText('The price cannot be shown right now.'), 0);
  });

  it('offer plans that are sold by the year alone', async () => {
    await pages.context().route('**/api/billing/plans', async (route) => {
      const response = await route.fetch();
      const { plans } = await response.json();
      const yearly = plans.filter((plan: { billingCycle: string }) => plan.billingCycle === 'yearly');
      await route.fulfill({ response, json: { plans: yearly } });
    });
    await open('/account/plan');
    await pages.page().getByText('/ year').first().waitFor();
    await hasCount(pages.page().getByLabel('Monthly'), 0);
  });

  it('show a failed payment in place of the next renewal', async () => {
    await buyPro();
    await pages.context().route('**/api/subscription', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), status: 'past_due' } });
    });
    await open('/account/plan');
    await sees('Your last payment failed. Update your payment method to keep your plan.');
    await hasCount(pages.page().getByText('Renews on'), 0);
  });

  it('let the user manage a subscription that grants nothing but prevents another purchase', async () => {
    await buyPro();
    await pages
      .context()
      .route('**/api/subscription', (route) =>
        route.fulfill({ status: 404, json: { code: 'no_active_subscription', message: 'There is none.' } }),
      );
    await pages
      .context()
      .route('**/api/billing/checkout?*', (route) =>
        route.fulfill({ status: 409, json: { code: 'already_subscribed', message: 'There is one.' } }),
      );
    await open('/account/plan');
    await button('Choose Pro').click();
    await sees('You already have a plan.');
    await button('Manage plan').click();
    await pages.page().waitForURL('**/sandbox/billing/portal/**');
  });

  describe('while a price is unavailable', () => {
    beforeEach(async () => {
      await buyPro();
      await pages.context().route('**/api/subscription', (route) =>
        route.fulfill({
          status: 503,
          headers: { 'Retry-After': '3600' },
          json: { code: 'price_unavailable', message: 'The price cannot be converted.' },
        }),
      );
    });

    it('show the paid plan and let the user manage it', async () => {
      await open('/account/plan');
      await sees('The price cannot be shown right now.');
      await sees('pro');
      await hasCount(pages.page().getByText('Granted by our team'), 0);
      await hasCount(button('Choose Pro'), 0);
      await button('Manage plan').click();
      await pages.page().waitForURL('**/sandbox/billing/portal/**');
    });

    it('show the purchased plan as active', async () => {
      await open('/billing/success');
      await sees('Your plan is active.');
    });
  });

  it('show until when calls are rate-limited', async () => {
    await pages.begin(user, { timezoneId: 'UTC' });
    await pages.page().clock.setFixedTime('2030-05-20T15:28:03Z');
    await pages.context().route('**/api/auth/me', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '15' },
        json: { code: 'rate_limited', message: 'Too fast.' },
      }),
    );
    await open('/account');
    await sees('Too many attempts. Try again after 15:29.');
  });

  it('keep the button of a module that did not load enabled', async () => {
    const part = /\/account\/files\/sign-in-by-passkey/;
    for (const [path, name] of [
      ['/account/security', 'Add a passkey'],
      ['/account/sign-in', 'Use a passkey'],
    ] as const) {
      if (path === '/account/sign-in') await pages.begin();
      await pages.context().route(part, (route) => route.abort());
      await open(path);
      await button(name).click();
      await sees('No connection. Check your network, then try again.');
      await until(() => button(name).isEnabled());
      expect(await button(name).isEnabled()).to.equal(true);
    }
  });

  it('link from a failed provider flow to the page where the flow began', async () => {
    const byProvider = (name: string) => button(`${name} Example ID`).click();
    const expectLink = async (name: string, path: string) =>
      expect(await pages.page().getByRole('link', { name }).getAttribute('href')).to.equal(path);
    const lastCalls = /\/api\/auth\/providers\/(?:exchange|link\/confirm)$/;
    pages.idp.identity = providerIdentity({ email: user.email });
    await pages.context().route(lastCalls, (route) => route.abort());
    await open('/account/security');
    await byProvider('Connect');
    await sees('No connection. Check your network, then try again.');
    await expectLink('Back to security', '/account/security');
    await pages.context().unroute(lastCalls);
    await open('/account/security');
    await byProvider('Connect');
    await sees('Connected');

    const app = await turnOnFactor(service(), user);
    const signIn = '/account/sign-in?next=/account/sessions';
    await pages.begin();
    await open(signIn);
    await byProvider('Continue with');
    await pages.page().getByLabel('Code', { exact: true }).waitFor();
    await pages.page().reload();
    await arrives(signIn);
    await byProvider('Continue with');
    await pages.page().getByLabel('Code', { exact: true }).waitFor();
    service().clock.advance(301_000);
    await fill('Code', app.fresh());
    await button('Continue').click();
    await sees('This request has expired. Start again.');
    await expectLink('Go to sign-in', signIn);
    await pages.context().route(lastCalls, (route) => route.abort());
    await open(signIn);
    await byProvider('Continue with');
    await sees('No connection. Check your network, then try again.');
    await expectLink('Go to sign-in', signIn);
  });

  it('show `Still waiting…` during a slow answer', async () => {
    const answered = makeGate();
    await pages.context().route('**/api/auth/sessions', async (route) => {
      await answered.isOpen;
      await route.continue();
    });
    await pages.page().clock.install();
    await open('/account/sessions');
    await pages.page().locator('.skeleton').waitFor();
    await hasCount(pages.page().getByText('Still waiting…'), 0);
    await pages.page().clock.runFor(5_100);
    await sees('Still waiting…');
    answered.open();
    await sees('This device');
  });

  it('refuse an unknown app with 400, and send a code to a known app after one press', async () => {
    const queryFor = (returnTo: string) =>
      `?${new URLSearchParams({ return_to: returnTo, state: 'state-of-the-app-1', code_challenge: 'c'.repeat(43) })}`;
    const refused = await pages
      .page()
      .goto(`${pages.origin()}/account/continue${queryFor('https://evil.example/')}`);
    expect(refused?.status()).to.equal(400);
    expect(new URL(pages.page().url()).origin).to.equal(pages.origin());

    const known = 'https://app.example.com/signed-in';
    await pages.context().route(`${known}**`, (route) => route.fulfill({ body: 'The app' }));
    await open(`/account/sign-in${queryFor(known)}`);
    await sees('Continue to the app');
    await button('Use another account').click();
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await sees('Continue to the app');
    // Otherwise a late read of the account would find no session and redirect to the sign-in.
    await settle();
    await pages.context().clearCookies();
    await button('Continue').click();
    await pages.page().getByRole('link', { name: 'Sign in again' }).click();
    // The fields below the dialog are usable only after the dialog is closed.
    await pages.page().waitForURL('**/account/sign-in?*');
    await hasCount(pages.page().getByRole('dialog'), 0);
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await button('Continue').click();
    await pages.page().waitForURL(`${known}?code=*`);
    expect(new URL(pages.page().url()).searchParams.get('state')).to.equal('state-of-the-app-1');

    // The page stays open beside a native app.
    await open(`/account/continue${queryFor('com.example.app:/signed-in')}`);
    for (let press = 0; press < 2; press += 1) {
      const answer = pages.page().waitForResponse('**/api/auth/handover');
      await button('Continue').and(pages.page().locator(':not([aria-disabled])')).click();
      expect((await answer).status()).to.equal(200);
    }
  });
});
