import { expect } from 'chai';
import { until } from '../../../support/until.ts';
import { makeAppAuthorization, RETURN_TO } from '../../accounts/app-authorization/app-calls.ts';
import { addAuthenticator } from '../../browser/passkeys/authenticator.ts';
import { usePages } from './open-pages.ts';

describe('The pages of an account that others may have used', () => {
  const pages = usePages({ SIGN_IN_REDIRECTS: RETURN_TO });
  const { button, fill, open, sees, service } = pages;
  afterEach(() => expect(pages.complaints()).to.deep.equal([]));

  it('list the credentials that the undo of an email change removed, in the language of the page', async () => {
    const user = await service().signUp();
    await pages.begin(user);
    await addAuthenticator(pages.page());
    await open('/account/security');
    await button('Add a passkey').click();
    await sees('Passkey added');
    await pages
      .page()
      .getByRole('button', { name: /^Rename: / })
      .click();
    await fill('Name of the passkey', '<b>Taker</b>');
    await button('Save').click();
    await sees('<b>Taker</b>');
    await button('Connect Example ID').click();
    await pages.page().getByRole('button', { name: 'Disconnect: Example ID' }).waitFor();
    await button('Change email').click();
    await fill('New email', 'taker@example.net');
    await button('Send the code').click();
    await fill('Code from the new email', await service().codeFor('taker@example.net'));
    await button('Confirm').click();
    await sees('taker@example.net');
    const mailWithCode = () =>
      service().mails.find(({ to, text }) => to === user.email && text.includes('7 days'));
    await until(() => mailWithCode() !== undefined);
    const [, code = ''] = /^ {4}(\S+)$/m.exec(mailWithCode()?.text ?? '') ?? [];

    await pages.begin();
    // The mail has no link: users find the page through `Forgot password?`.
    await open('/account/sign-in');
    await pages.page().getByRole('link', { name: 'Forgot password?' }).click();
    await pages.page().getByRole('link', { name: 'Undo an email change' }).click();
    await pages.arrives('/account/undo');
    await fill('Old email', user.email);
    await fill('Code', 'ABCDE-12345');
    await button('Undo the change').click();
    await sees('This code is wrong or has expired.');
    await fill('Code', code);
    await button('Undo the change').click();
    await sees('Your old email is back.');
    const items = pages.page().locator('main li');
    expect(await items.allTextContents()).to.deep.equal([
      'A passkey was removed: <b>Taker</b>',
      'A sign-in method was removed: Example ID',
    ]);
    await pages.page().getByLabel('Language').selectOption('pl');
    await sees('Przywróciliśmy Twój poprzedni adres e-mail.');
    expect(await items.allTextContents()).to.deep.equal([
      'Usunięto klucz dostępu: <b>Taker</b>',
      'Usunięto sposób logowania: Example ID',
    ]);
    await button('Przejdź do logowania').click();
    await pages.arrives('/account/sign-in');
  });

  it('list the session of an app below the session that authorized it', async () => {
    const user = await service().signUp();
    await pages.begin(user);
    const [cookie] = await pages.context().cookies();
    const app = makeAppAuthorization(service().post);
    const redemption = await app.begin(cookie?.value ?? '');
    expect((await app.redeem(redemption, { 'User-Agent': 'DropApp/3.1' })).status).to.equal(200);
    await open('/account/sessions');
    const rows = pages.page().locator('.row-list li');
    await rows.filter({ hasText: 'This device' }).waitFor();
    const texts = await rows.allTextContents();
    const authorizing = texts.findIndex((text) => text.includes('This device'));
    expect(texts[authorizing + 1]).to.match(/^DropApp\/3\.1App, from Node\.js/);
    expect(texts.filter((text) => text.includes('App, from'))).to.have.length(1);
  });
});
