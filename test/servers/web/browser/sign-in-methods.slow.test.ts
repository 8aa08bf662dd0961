import { expect } from 'chai';
import { hasCount, hasFocus } from '../../../support/browser.ts';
import { providerIdentity } from '../../../support/scripted-providers.ts';
import { codeAt, turnOnFactor } from '../../accounts/second-factor/factor.ts';
import { addAuthenticator } from '../../browser/passkeys/authenticator.ts';
import { usePages } from './open-pages.ts';

describe('Sign-in methods on the pages', () => {
  const pages = usePages();
  const { arrives, button, fill, open, sees, service } = pages;
  const continueWith = (name: string) => button(`Continue with ${name}`).click();
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));
  /** Adds a passkey on the security page. */
  const addPasskey = async () => {
    await open('/account/security');
    await button('Add a passkey').click();
    await sees('Passkey added');
  };
  /** Makes the passkeys the second factor. */
  const turnOnPasskeys = async () => {
    await button('Use my passkeys').click();
    await pages.page().getByText('if you lose your second factor').waitFor();
    expect(await pages.page().getByText('Off', { exact: true }).count()).to.equal(0);
    await pages.page().getByLabel('I have saved my recovery codes').check();
    await button('Finish').click();
    await sees('10 of 10 recovery codes left.');
  };

  it('create an account by a provider, and disconnect and connect it on the security page', async () => {
    await pages.begin();
    await open('/account/sign-in?next=/account/security');
    await continueWith('Example ID');
    // After the flow, `next` is shown and the storage is empty.
    await arrives('/account/security');
    await sees('Connected accounts');
    expect(await pages.page().evaluate('sessionStorage.length')).to.equal(0);
    await pages.page().getByRole('button', { name: 'Disconnect: Example ID' }).click();
    await sees('This is your last sign-in method. Add another one first.');
    await sees('No password is set. A new password signs out your other devices.');
    await button('Set a password').click();
    await fill('New password', 'correct horse battery');
    await button('Save').click();
    await sees('Password changed. Other devices are signed out.');
    await pages.page().getByRole('button', { name: 'Disconnect: Example ID' }).click();
    await sees('Disconnected');
    await button('Connect Example ID').click();
    await sees('Connected');
    await sees('Example ID');
  });

  it('connect an identity to the existing account of its email after a sign-in to the account', async () => {
    const user = await service().signUp();
    pages.idp.identity = providerIdentity({ subject: 'subject-2', email: user.email });
    await pages.begin();
    await open('/account/sign-in');
    await continueWith('Example ID');
    await sees('An account with this email already exists. Sign in to it first.');
    await pages.page().getByRole('link', { name: 'Go to sign-in' }).click();
    expect(await pages.page().getByLabel('Email').inputValue()).to.equal(user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await sees('Connected');
    await pages.begin();
    await open('/account/sign-in');
    await continueWith('Example ID');
    await arrives('/account');
    await sees(user.email);
  });

  it('ask for an email and its code if the provider has no verified email', async () => {
    pages.idp.identity = providerIdentity({
      subject: 'subject-3',
      email: 'kay@example.com',
      emailVerified: false,
    });
    await pages.begin();
    await open('/account/sign-in');
    await continueWith('Example ID');
    await sees('Enter your email. We will send you a code to confirm that it is yours.');
    await fill('Email', 'kay@exmaple.com');
    await button('Send the code').click();
    await button('Change email').click();
    expect(await pages.page().getByLabel('Email', { exact: true }).inputValue()).to.equal('kay@exmaple.com');
    await fill('Email', 'kay@example.com');
    await button('Send the code').click();
    // As after another sign-up with this email, which voids the token of this one.
    const json = { code: 'wrong_credentials', message: 'The credentials are wrong.' };
    await pages
      .page()
      .route('**/api/auth/verify-email', (route) => route.fulfill({ status: 401, json }), { times: 1 });
    await fill('Code', await service().codeFor('kay@example.com'));
    await button('Continue').click();
    await sees('This request has expired. Start again.');
    await button('Continue').click();
    await arrives('/account');
  });

  it('keep a typed code after a provider flow when the language changes', async () => {
    const user = await service().signUp();
    pages.idp.identity = providerIdentity({ subject: 'subject-5', email: user.email });
    await pages.begin(user);
    await open('/account/security');
    await button('Connect Example ID').click();
    await sees('Connected');
    await turnOnFactor(service(), user);
    await pages.begin();
    await open('/account/sign-in');
    await continueWith('Example ID');
    await fill('Code', '123456');
    await pages.page().getByLabel('Language').selectOption('pl');
    await sees('Wpisz kod');
    expect(await pages.page().getByLabel('Kod', { exact: true }).inputValue()).to.equal('123456');
  });

  it('prove by a provider and a code of the authenticator app without a password', async () => {
    pages.idp.identity = providerIdentity({ subject: 'subject-4', email: 'joan@example.com' });
    await pages.begin();
    await open('/account/sign-in');
    await continueWith('Example ID');
    await arrives('/account');
    const setUp = async (body: object): Promise<{ readonly secret: string }> => {
      const headers = { 'Content-Type': 'application/json' };
      const request = JSON.stringify({ method: 'POST', headers, body: JSON.stringify(body) });
      return pages.page().evaluate(`fetch('/api/auth/2fa', ${request}).then((answer) => answer.json())`);
    };
    const { secret } = await setUp({ enable: true });
    const codeNow = () => codeAt(secret, service().clock.now());
    expect(await setUp({ enable: true, secret, verificationCode: codeNow() })).to.include({ success: true });

    service().clock.advance(601_000);
    await open('/account/security');
    await button('Set a password').click();
    await fill('New password', 'correct horse battery');
    await button('Save').click();
    await pages.page().getByRole('dialog').getByRole('button', { name: 'Continue with Example ID' }).click();
    await pages.page().waitForURL(/\/account\/return/);
    const code = 'Code from your authenticator app, or a recovery code';
    await button('Confirm').click();
    await fill(code, '000000');
    await button('Confirm').click();
    await sees('This code is wrong, or was used before.');
    await hasFocus(pages.page(), 'name', 'code');
    await fill(code, codeNow());
    await button('Confirm').click();
    await arrives('/account/security');
    await button('Set a password').click();
    await fill('New password', 'correct horse battery');
    await button('Save').click();
    await sees('Password changed. Other devices are signed out.');
  });

  it('explain each refusal of a provider', async () => {
    await pages.begin();
    const texts = {
      access_denied: 'You cancelled the sign-in.',
      provider_error: 'The other site could not sign you in. Try again, or sign in another way.',
      provider_unavailable:
        'The other site is not responding. Try again in a moment, or sign in another way.',
      provider_answer_invalid:
        'We could not verify the response of the other site. Try again, or sign in another way.',
    };
    for (const [code, text] of Object.entries(texts)) {
      await pages
        .page()
        .addInitScript(
          `sessionStorage.setItem('gatehouse-sign-in', JSON.stringify([{ state: '${code}', verifier: 'v', purpose: 'login' }]))`,
        );
      await open(`/account/return?state=${code}&error=${code}`);
      await sees(text);
      expect(pages.page().url()).to.equal(`${pages.origin()}/account/return`);
    }
    await open('/account/return?state=another&code=code');
    await sees('This sign-in was started in another tab or has expired. Start again.');
  });

  it('explain why the service cannot begin a provider flow', async () => {
    await pages.begin();
    await open('/account/sign-in');
    const refusals: readonly (readonly [number, object, string | RegExp])[] = [
      [429, { code: 'rate_limited', message: 'Too many.' }, /Too many attempts\. Try again after /],
      [200, { providers: [] }, 'Something went wrong on our side. Try again.'],
    ];
    for (const [status, json, text] of refusals) {
      await pages
        .context()
        .route('**/api/auth/providers', (route) =>
          route.fulfill({ status, headers: { 'Retry-After': '60' }, json }),
        );
      await continueWith('Example ID');
      const notice = pages.page().getByRole('alert').filter({ hasText: text });
      await notice.waitFor();
      expect(await notice.innerText()).to.not.include('No connection');
    }
  });

  it('explain that a browser that blocks cookies and storage cannot begin a provider flow', async () => {
    await pages.begin();
    await pages.page().addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('Denied', 'SecurityError'); } });`);
    await open('/account/sign-in');
    await continueWith('Example ID');
    const text = 'Your browser blocks cookies. Allow them for this site, then sign in again.';
    await sees(text);
    // A flow that began before the browser blocked them.
    await open('/account/return?state=s&code=c');
    await sees(text);
  });

  it('link back to the security page or the sign-in after a refused flow', async () => {
    await pages.begin(await service().signUp());
    for (const [purpose, after, name] of [
      ['link', '/account/security', 'Back to security'],
      ['reauthenticate', '/account/delete', 'Back to security'],
      ['login', '', 'Go to sign-in'],
    ] as const) {
      const flow = JSON.stringify([{ state: purpose, verifier: 'v', purpose }]);
      await pages.page().addInitScript(`sessionStorage.setItem('gatehouse-sign-in', '${flow}')`);
      await pages.page().addInitScript(`sessionStorage.setItem('gatehouse-after', '${after}')`);
      await open(`/account/return?state=${purpose}&error=access_denied`);
      await sees('You cancelled the sign-in.');
      const path = purpose === 'login' ? '/account/sign-in' : '/account/security';
      expect(await pages.page().getByRole('link', { name }).getAttribute('href')).to.equal(path);
    }
  });

  it('add a passkey, sign in and prove by it, and refuse to remove it as the only second factor', async () => {
    const user = await service().signUp();
    await pages.begin(user);
    await addAuthenticator(pages.page());
    await addPasskey();
    await pages
      .page()
      .getByRole('button', { name: /^Rename: / })
      .click();
    await fill('Name of the passkey', '<b>Laptop</b>');
    await button('Save').click();
    await sees('<b>Laptop</b>');
    await turnOnPasskeys();

    // The browser offers the passkey in the field, and the virtual authenticator accepts each offer.
    await button('Sign out').click();
    await arrives('/account');

    service().clock.advance(601_000);
    await open('/account/security');
    await button('Remove: <b>Laptop</b>').click();
    const dialog = pages.page().getByRole('dialog');
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await sees(
      'This is your only second factor. Add another one first, or turn two-factor authentication off.',
    );
  });

  it('name a new passkey in the language of the page', async () => {
    for (const [language, add, rename, name] of [
      ['en', 'Add a passkey', 'Rename', /^Passkey \d+ [a-z]+ \d{4}$/i],
      ['pl', 'Dodaj klucz dostępu', 'Zmień nazwę', /^Klucz dostępu \d+ [a-ząćęłńóśźż]+ \d{4}$/],
    ] as const) {
      await pages.begin(await service().signUp());
      await addAuthenticator(pages.page());
      await open(`/account/security?ui_locales=${language}`);
      await button(add).click();
      const row = pages.page().locator('.row-list li').filter({ hasText: rename });
      expect(await row.locator('b').innerText()).to.match(name);
    }
  });

  it('accept a passkey as second factor after a password', async () => {
    const user = await service().signUp();
    await pages.begin(user);
    await addAuthenticator(pages.page());
    // No passkey is offered in the field, since the virtual authenticator would accept the offer.
    await pages
      .page()
      .addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await addPasskey();
    await turnOnPasskeys();
    await button('Sign out').click();
    await fill('Email', user.email);
    await fill('Password', user.password);
    await button('Sign in').click();
    await sees('Use a passkey, or enter a recovery code.');
    await button('Use a passkey').click();
    await arrives('/account');
  });

  it('ask for no code to change the second factor when all recovery codes are used up', async () => {
    const user = await service().signUp();
    await pages.begin(user);
    await addAuthenticator(pages.page());
    await pages
      .page()
      .addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await addPasskey();
    await button('Use my passkeys').click();
    const codes = pages.page().locator('.codes li');
    await codes.last().waitFor();
    for (const verificationCode of await codes.allInnerTexts())
      await service().post('/api/auth/login', {
        email: user.email,
        password: user.password,
        verificationCode,
      });
    await pages.page().getByLabel('I have saved my recovery codes').check();
    await button('Finish').click();
    await sees('0 of 10 recovery codes left.');
    const dialog = pages.page().getByRole('dialog');

    service().clock.advance(601_000);
    await button('Create new recovery codes').click();
    await sees('Your old codes stop working right away.');
    await hasCount(pages.page().getByRole('textbox'), 0);
    await button('Create new recovery codes').click();
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await hasCount(codes, 10);
  });

  it('accept a passkey without a PIN as a proof together with the password', async () => {
    const user = await service().signUp();
    await pages.begin(user);
    await addAuthenticator(pages.page(), false, false);
    await addPasskey();
    await turnOnPasskeys();
    service().clock.advance(601_000);
    await open('/account/security');
    await button('Add a passkey').click();
    const dialog = pages.page().getByRole('dialog');
    const usePasskey = () => dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await usePasskey();
    await sees('This passkey was not accepted.');
    await fill('Password', 'wrong password');
    await usePasskey();
    await sees('This is not your current password.');
    await fill('Password', user.password);
    await usePasskey();
    await sees('This passkey is already in use.');
  });
});
