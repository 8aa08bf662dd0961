import { expect } from 'chai';
import { hasFocus } from '../../../support/browser.ts';
import { makeGate } from '../../../support/gate.ts';
import type { User } from '../../../support/service.ts';
import { addAuthenticator } from '../../browser/passkeys/authenticator.ts';
import { byKeyboard } from './by-keyboard.ts';
import { usePages } from './open-pages.ts';

describe('The account page by keyboard alone', () => {
  const pages = usePages();
  const { arrives, button, open, sees, service } = pages;
  const { enter, press, reach, write } = byKeyboard(pages.page);
  let user: User;
  beforeEach(async () => {
    user = await service().signUp();
    await pages.begin(user);
  });
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));

  it('can add, rename and remove a passkey', async () => {
    await addAuthenticator(pages.page());
    await open('/account/security');
    await button('Add a passkey').waitFor();
    await enter('Add a passkey');
    await sees('Passkey added');
    const rename = pages.page().getByRole('button', { name: /^Rename: / });
    await enter((await rename.getAttribute('aria-label')) ?? '');
    await write('Name of the passkey', 'Laptop');
    await press('Enter');
    await sees('Laptop');
    await enter('Remove: Laptop');
    await sees('Passkey removed');
  });

  it('keeps the focus when a form replaces its button and when a row is removed', async () => {
    await open('/account/security');
    await button('Change password').waitFor();
    await enter('Change password');
    await hasFocus(pages.page(), 'name', 'currentPassword');
    await enter('Cancel');
    await hasFocus(pages.page(), 'tagName', 'BUTTON');
    expect(await button('Change password').evaluate((element) => element.matches(':focus'))).to.equal(true);
    await enter('Change email');
    await hasFocus(pages.page(), 'name', 'email');
    const { email, password } = user;
    await service().post('/api/auth/login', { email, password });
    await open('/account/sessions');
    const signOutButtons = pages.page().getByRole('button', { name: /^Sign out: / });
    await signOutButtons.first().waitFor();
    await enter((await signOutButtons.first().getAttribute('aria-label')) ?? '');
    await sees('Session signed out');
    await hasFocus(pages.page(), 'tagName', 'BUTTON');
  });

  it('moves the focus into a form that was opened before the script for it was loaded', async () => {
    const delivered = makeGate();
    await pages.page().route('**/keep-focus.*', async (route) => {
      await delivered.isOpen;
      await route.continue();
    });
    await open('/account/security');
    await button('Change password').waitFor();
    await enter('Change password');
    await pages.page().getByLabel('Current password', { exact: true }).waitFor();
    delivered.open();
    await hasFocus(pages.page(), 'name', 'currentPassword');
  });

  it('can connect and disconnect an account at a provider', async () => {
    await open('/account/security');
    await button('Connect Example ID').waitFor();
    await enter('Connect Example ID');
    await sees('Connected');
    await button('Disconnect: Example ID').waitFor();
    await enter('Disconnect: Example ID');
    await sees('Disconnected');
  });

  it('can set, check and remove a domain', async () => {
    const by = { actor: 'tests', reason: 'a test' };
    await service().composition.accounts.operate.setTier(user.id, { tier: 'enterprise' }, by);
    await open('/account/domain');
    await button('Set domain').waitFor();
    // The link of the same name comes before the field.
    await reach('Domain');
    await press('Tab');
    await write('Domain', 'files.ada-lovelace.dev');
    await press('Enter');
    await button('Check now').waitFor();
    await enter('Check now');
    await sees('The TXT record was not found yet. Changes can take an hour.');
    await enter('Remove domain');
    await sees('Domain removed');
  });

  it('can change the email and undo the change', async () => {
    const email = `new.${user.email}`;
    await open('/account/security');
    await button('Change email').waitFor();
    await enter('Change email');
    await write('New email', email);
    await press('Enter');
    await pages.page().getByLabel('Code from the new email').waitFor();
    await write('Code from the new email', await service().codeFor(email));
    await press('Enter');
    await sees('Email changed');
    const { text } = await service().mailTo(user.email, 3);
    const [code = ''] = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text) ?? [];
    await pages.begin();
    await open('/account/undo');
    await write('Old email', user.email);
    await write('Code', code);
    await press('Enter');
    await arrives('/account/sign-in');
    await sees('Your old email is back. Sign in with it.');
  });

  it('can be deleted', async () => {
    await open('/account/delete');
    await button('Delete account').waitFor();
    await write(`Type ${user.email} to confirm`, user.email);
    await write('Password', user.password);
    await press('Enter');
    await arrives('/account/gone');
    await sees('Your account is deleted.');
  });
});
