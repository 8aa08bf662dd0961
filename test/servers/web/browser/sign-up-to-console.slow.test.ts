import { expect } from 'chai';
import { hasFocus } from '../../../support/browser.ts';
import { until } from '../../../support/until.ts';
import { codeAt } from '../../accounts/second-factor/factor.ts';
import { byKeyboard } from './by-keyboard.ts';
import { usePages } from './open-pages.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';

describe('The way from the sign-up to a plan and to the console', () => {
  const pages = usePages();
  const { arrives, button, open, sees, service } = pages;
  const { press, reach, enter, write } = byKeyboard(pages.page);

  it('works by keyboard, with a mailed code, a second factor and the billing sandbox', async () => {
    await pages.begin();
    await open('/');
    await enter('Create account');
    await arrives('/account/sign-up');
    await write('Email', EMAIL);
    await write('Password', PASSWORD);
    await press('Enter');
    await arrives('/account/verify');
    await write('Code', await service().codeFor(EMAIL));
    await press('Enter');
    await arrives('/account');

    await write('Name', 'Ada');
    await press('Enter');
    await sees('Saved');
    await enter('Security');
    await arrives('/account/security');
    await enter('Turn on');
    await arrives('/account/security/two-factor');
    const key = (await pages.page().locator('main code').innerText()).replaceAll(' ', '');
    await enter('Continue');
    await write('Code from your authenticator app', codeAt(key, service().clock.now()));
    await press('Enter');
    await reach('I have saved my recovery codes');
    await press('Space');
    await enter('Finish');
    await sees('10 of 10 recovery codes left.');

    await enter('Plan');
    await arrives('/account/plan');
    await reach('Monthly');
    await press('ArrowRight');
    await pages.page().getByText('/ year').first().waitFor();
    await enter('Choose Pro');
    await pages.page().waitForURL('**/sandbox/billing/checkout/**');
    await enter('Pay');
    await arrives('/billing/success');
    await sees('Your Pro plan is active.');
    await enter('Your plan');
    await arrives('/account/plan');
    await pages.page().getByText('/ year').waitFor();

    const { accounts } = service().composition;
    const findUser = () => accounts.operate.showUser(EMAIL);
    await until(async () => JSON.stringify(await findUser()).includes('"pro"'));
    expect(await findUser()).to.include({ displayName: 'Ada' });
    await button('Sign out').click();
    await arrives('/account/sign-in');

    // `gatehouse operator grant` makes this call; the console's sign-in page names the command.
    await pages.page().goto(`${service().consoleUrl}/sign-in`);
    await pages.page().getByText('npx --no gatehouse operator grant EMAIL founder').waitFor();
    await accounts.operate.appoint((await findUser()).id, 'founder', { actor: 'operator:cli' });
    // A code works once.
    service().clock.advance(60_000);
    await write('Email', EMAIL);
    await write('Password', PASSWORD);
    await press('Enter');
    await write('Code', codeAt(key, service().clock.now()));
    await press('Enter');
    await pages.page().getByRole('navigation', { name: 'Console' }).waitFor();
    // A page moves the focus to its heading one frame after it is shown, even from a link that has the focus.
    await hasFocus(pages.page(), 'tagName', 'H1');
    await enter('Users');
    await pages.page().getByRole('link', { name: EMAIL }).first().click();
    await pages.page().getByRole('heading', { level: 1, name: EMAIL }).waitFor();
    await pages.page().getByText('Access: pro, by billing').first().waitFor();
    expect(pages.complaints()).to.deep.equal([]);
  });
});
