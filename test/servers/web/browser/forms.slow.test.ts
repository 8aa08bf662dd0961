import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { hasCount, takeOffline } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import type { User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { usePages } from './open-pages.ts';

const answerBusy = (route: Route) =>
  route.fulfill({ status: 503, json: { code: 'store_unavailable', message: 'Down.' } });

describe('A form of the account pages', () => {
  const pages = usePages();
  const { button, fill, open, sees, service } = pages;
  let user: User;
  beforeEach(async () => {
    user = await service().signUp();
    await pages.begin(user);
  });

  const field = (label: string) => pages.page().getByLabel(label, { exact: true });
  const storedName = async () =>
    (await service().request('GET', '/api/auth/me', { token: user.token })).body.user;

  it('keeps its text without a connection, and saves it by `Try again`', async () => {
    await open('/account');
    await fill('Name', 'Ada Lovelace');
    await takeOffline(pages.page());
    await button('Save').click();
    await sees('No connection. Check your network, then try again.');
    expect(await field('Name').inputValue()).to.equal('Ada Lovelace');
    await pages.context().setOffline(false);
    await button('Try again').click();
    await sees('Saved');
    expect(await storedName()).to.include({ displayName: 'Ada Lovelace' });
    await hasCount(button('Try again'), 0);
  });

  it('keeps its text after a 503, and sends the text typed since by `Try again`', async () => {
    await open('/account');
    // The page has read the account at this address: from here on only the form uses it.
    await field('Name').waitFor();
    await pages.context().route('**/api/auth/me', answerBusy, { times: 1 });
    await fill('Name', 'Ada');
    await button('Save').click();
    await sees('This is temporarily unavailable. Try again in a moment.');
    expect(await field('Name').inputValue()).to.equal('Ada');
    await fill('Name', 'Ada King');
    await button('Try again').click();
    await sees('Saved');
    expect(await storedName()).to.include({ displayName: 'Ada King' });
  });

  it('keeps its text when the language changes', async () => {
    await open('/account');
    await fill('Name', 'Ada Lovelace');
    await pages.page().getByLabel('Language').selectOption('pl');
    await pages.page().locator('html[lang=pl]').waitFor();
    expect(await field('Nazwa').inputValue()).to.equal('Ada Lovelace');
  });

  it('keeps the typed email of a failed sign-in, not the email in the address', async () => {
    await pages.begin();
    await open('/account/sign-in?email=other@example.com');
    await fill('Email', user.email);
    await fill('Password', user.password);
    await takeOffline(pages.page());
    await button('Sign in').click();
    await sees('No connection. Check your network, then try again.');
    expect(await field('Email').inputValue()).to.equal(user.email);
    expect(await field('Password').inputValue()).to.equal(user.password);
    await pages.context().setOffline(false);
    await button('Try again').click();
    await pages.arrives('/account');
  });

  it('marks the empty field, with an error in the language of the page', async () => {
    await pages.begin(undefined, { locale: 'pl-PL' });
    for (const path of ['/account/sign-in', '/account/sign-up']) {
      await open(path);
      const submit = pages.page().locator('[type=submit]');
      for (const label of ['E-mail', 'Hasło']) {
        await submit.click();
        await sees('Dane są niepełne lub nieprawidłowe.');
        await pages
          .page()
          .getByRole('textbox', { name: label })
          .and(pages.page().locator('[aria-invalid]:focus'))
          .waitFor();
        if (label === 'E-mail') await fill(label, 'ada@example.com');
      }
    }
  });

  it('keeps its text if another form was saved and the page cannot be read again', async () => {
    await open('/account/security');
    await button('Change email').click();
    await fill('New email', 'ada.new@example.com');
    await button('Change password').click();
    await fill('Current password', user.password);
    await fill('New password', 'another horse battery');
    // The page repeats a read once by itself.
    await pages.context().route('**/api/auth/security', answerBusy, { times: 2 });
    await button('Save').click();
    await sees('This is temporarily unavailable. Try again in a moment.');
    expect(await field('New email').inputValue()).to.equal('ada.new@example.com');
    await button('Try again').click();
    await pages.page().getByRole('alert').waitFor({ state: 'detached' });
    expect(await field('New email').inputValue()).to.equal('ada.new@example.com');
  });

  it('offers no `Try again` for a refused value', async () => {
    await open('/account');
    await fill('Name', 'x'.repeat(101));
    await button('Save').click();
    await sees('Use at most 100 characters, without line breaks.');
    await hasCount(button('Try again'), 0);
  });

  it('is sent once for several presses', async () => {
    await open('/account');
    // The page has read the account at this address.
    await field('Name').waitFor();
    let sent = 0;
    const released = makeGate();
    await pages.context().route('**/api/auth/me', async (route) => {
      sent += 1;
      await released.isOpen;
      await route.continue();
    });
    await fill('Name', 'Ada Lovelace');
    // The presses come before the button is drawn as busy, and after.
    await button('Save').evaluate((save: { click(): void }) => {
      save.click();
      save.click();
    });
    await field('Name').press('Enter');
    released.open();
    await sees('Saved');
    expect(sent).to.equal(1);
  });

  it('says that the current password is wrong, not the sign-in', async () => {
    await open('/account/security');
    await button('Change password').click();
    await fill('Current password', 'wrong horse battery');
    await fill('New password', 'another horse battery');
    await button('Save').click();
    await sees('This is not your current password.');
    await hasCount(pages.page().getByText('Email or password is wrong.'), 0);
    await open('/account/delete');
    await fill(`Type ${user.email} to confirm`, user.email);
    await fill('Password', 'wrong horse battery');
    await button('Delete account').click();
    await sees('This is not your current password.');
  });

  it('for a code accepts a typed password after another sign-up has replaced the password', async () => {
    await pages.begin();
    const email = 'twice@example.com';
    const password = 'another horse battery';
    await open('/account/sign-up');
    await fill('Email', email);
    await fill('Password', 'correct horse battery');
    await button('Create account').click();
    await pages.arrives('/account/verify');
    await service().post('/api/auth/register', { email, password });
    await fill('Code', await service().codeFor(email, 2));
    await button('Continue').click();
    await sees('Email or password is wrong.');
    await fill('Password', password);
    await button('Continue').click();
    await pages.arrives('/account');
  });

  it('shows only the digits of a pasted code', async () => {
    await pages.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/account/verify');
    await pages.page().evaluate("navigator.clipboard.writeText(' 123 - 456\\n')");
    await field('Code').focus();
    await pages.page().keyboard.press('Control+V');
    expect(await field('Code').inputValue()).to.equal('123456');
  });

  it('announces an error at the field that has the focus already, each time', async () => {
    await open('/account/forgot');
    await fill('Email', 'no email');
    const error = pages.page().getByRole('alert').filter({ hasText: 'Enter an email' });
    await pages.page().keyboard.press('Enter');
    await error.waitFor();
    const first = await error.elementHandle();
    await pages.page().keyboard.press('Enter');
    // Screen readers announce an alert when its element appears.
    await until(async () => !(await first?.evaluate((element) => element.isConnected)));
    await error.waitFor();
    expect(await field('Email').evaluate((element) => element.matches(':focus'))).to.equal(true);
  });

  it('announces again that it was saved', async () => {
    await open('/account');
    await button('Save').click();
    const saved = pages.page().getByRole('status').getByText('Saved', { exact: true });
    await saved.waitFor();
    const first = await saved.elementHandle();
    await button('Save').click();
    await until(async () => !(await first?.evaluate((element) => element.isConnected)));
    await hasCount(saved, 1);
  });

  it('for a code shows when another mail can be requested, but not in the name of the button', async () => {
    await pages.begin();
    await open('/account/sign-up');
    await fill('Email', 'counted@example.com');
    await fill('Password', 'correct horse battery');
    await button('Create account').click();
    // A name that changes at every second would be spoken at every second.
    const again = pages.page().getByRole('button', { name: 'Send again', exact: true, disabled: true });
    await again.waitFor();
    expect(await again.textContent()).to.match(/^Send again\u00a0\(in \d+ s\)$/);
  });

  it('for a code offers no `Try again` if another mail could not be requested', async () => {
    await open('/account/verify');
    await fill('Email', 'nobody@example.com');
    await fill('Code', '000000');
    await fill('Password', 'correct horse battery');
    await button('Continue').click();
    await pages.page().locator('[name=code][aria-invalid]').waitFor();
    await takeOffline(pages.page());
    await button('Send again').click();
    await sees('No connection. Check your network, then try again.');
    await hasCount(button('Try again'), 0);
  });

  it('for a new email cancels the change if the user cancels at the code', async () => {
    await open('/account/security');
    await button('Change email').click();
    await fill('New email', 'ada.new@example.com');
    await button('Send the code').click();
    await field('Code from the new email').waitFor();
    const code = await service().codeFor('ada.new@example.com');
    const deletion = pages.page().waitForResponse((response) => response.request().method() === 'DELETE');
    await button('Cancel').click();
    expect((await deletion).status()).to.equal(200);
    await button('Change email').waitFor();
    const confirm = `fetch('/api/auth/email/confirm', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie' },
      body: '${JSON.stringify({ code })}',
    }).then((answer) => answer.json())`;
    expect(await pages.page().evaluate(confirm)).to.include({ code: 'invalid_code' });
  });
});
