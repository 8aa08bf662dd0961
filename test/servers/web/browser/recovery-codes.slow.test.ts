import { expect } from 'chai';
import { hasCount, takeOffline } from '../../../support/browser.ts';
import type { User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { codeAt } from '../../accounts/second-factor/factor.ts';
import { usePages } from './open-pages.ts';

const SETUP = '/account/security/two-factor';

/** Records whether closing the tab would need a confirmation when the codes appear, before they are painted. */
const RECORD_GUARD = `{
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.codes li')) return;
    observer.disconnect();
    window.isGuarded = !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  });
  observer.observe(document, { childList: true, subtree: true });
}`;

/** The number of pages of a PDF. */
const pagesIn = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

describe('Unsaved recovery codes', () => {
  const pages = usePages();
  const { button, fill, open, sees, service } = pages;
  let user: User;
  let shownAt: number;
  beforeEach(async () => {
    shownAt = Date.now();
    user = await service().signUp();
    await pages.begin(user);
    await open('/account/security');
    await pages.page().getByRole('link', { name: 'Turn on' }).click();
    const key = (await pages.page().locator('main code').innerText()).replaceAll(' ', '');
    await button('Continue').click();
    await fill('Code from your authenticator app', codeAt(key, service().clock.now()));
    await pages.page().evaluate(RECORD_GUARD);
    await button('Continue').click();
    await codes().first().waitFor();
  });

  const codes = () => pages.page().locator('.codes li');
  const question = () =>
    pages.page().getByRole('dialog', { name: 'Leave without saving your recovery codes?' });
  const path = () => new URL(pages.page().url()).pathname;
  const stay = async () => {
    await question().waitFor();
    await button('Stay').click();
    await question().waitFor({ state: 'detached' });
    await hasCount(codes(), 10);
    // The browser restores the address asynchronously after a step back.
    await until(() => path() === SETUP);
  };
  const leave = async () => {
    await question().waitFor();
    await button('Leave').click();
  };
  const click = (name: string) => pages.page().getByRole('link', { name, exact: true }).click();

  it('fill their card, beside a neutral button while they are unsaved', async () => {
    const style = `(() => {
      const { width } = document.querySelector('.codes').getBoundingClientRect();
      const card = document.querySelector('.paper').getBoundingClientRect().width;
      const waiting = [...document.querySelectorAll('main .button')].at(-1);
      return [card - width, getComputedStyle(waiting).backgroundColor];
    })()`;
    expect(await pages.page().evaluate(style)).to.deep.equal([0, 'rgb(213, 218, 225)']);
  });

  it('guard the tab against closing before they are painted', async () => {
    expect(await pages.page().evaluate('window.isGuarded')).to.equal(true);
  });

  it('require a confirmation before a link leaves the page', async () => {
    await click('Profile');
    await stay();
    await click('Profile');
    await pages.page().keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await click('Profile');
    await leave();
    await pages.arrives('/account');
  });

  it('require a confirmation before a step back, and leave the history intact', async () => {
    await pages.page().goBack();
    await stay();
    await pages.page().goBack();
    await stay();
    await pages.page().goBack();
    await leave();
    await pages.arrives('/account/security');
    await sees('On');
    await pages.page().goForward();
    await pages.arrives(SETUP);
  });

  it('no longer guard the tab after a confirmed step back', async () => {
    await pages.page().goBack();
    await leave();
    await pages.arrives('/account/security');
    await sees('On');
    const canClose = "dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    expect(await pages.page().evaluate(canClose)).to.equal(true);
  });

  it('require a confirmation before a sign-out', async () => {
    await button('Sign out').click();
    await stay();
    const ready = button('Sign out').and(pages.page().locator(':not([aria-disabled])'));
    await ready.click();
    await leave();
    await pages.arrives('/account/sign-in');
    expect(await pages.context().cookies()).to.deep.equal([]);
  });

  it('stay on the page if a confirmed sign-out fails, and require another confirmation', async () => {
    await takeOffline(pages.page());
    await button('Sign out').click();
    await leave();
    await button('Sign out').and(pages.page().locator(':not([aria-disabled])')).waitFor();
    await hasCount(codes(), 10);
    await pages.context().setOffline(false);
    await click('Sessions');
    await stay();
  });

  it('make the browser ask before the tab is closed', async () => {
    const opened = pages.page().waitForEvent('dialog');
    await pages.page().close({ runBeforeUnload: true });
    const dialog = await opened;
    expect(dialog.type()).to.equal('beforeunload');
    await dialog.dismiss();
    await hasCount(codes(), 10);
  });

  it('stay on the page when the language is changed and saved', async () => {
    const saved = pages.page().waitForResponse((response) => response.request().method() === 'PATCH');
    await pages.page().getByLabel('Language').selectOption('pl');
    await (await saved).finished();
    await pages.page().locator('html[lang=pl]').waitFor();
    await pages.page().evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    await hasCount(codes(), 10);
  });

  it('are downloaded as a file whose URL is not revoked at once', async () => {
    await pages.page().evaluate(`(() => {
      const revoke = URL.revokeObjectURL;
      window.revoked = 0;
      URL.revokeObjectURL = (address) => { window.revoked += 1; revoke(address); };
    })()`);
    const download = pages.page().waitForEvent('download');
    await button('Download').click();
    const stream = await (await download).createReadStream();
    const saved = (await stream.setEncoding('utf8').toArray()).join('');
    expect(saved.trim().split('\n')).to.deep.equal(await codes().allInnerTexts());
    expect(await pages.page().evaluate('window.revoked')).to.equal(0);
  });

  it('need no confirmation once they are saved', async () => {
    await pages.page().getByLabel('I have saved my recovery codes').check();
    await click('Sessions');
    await pages.arrives('/account/sessions');
    await hasCount(question(), 0);
  });

  it('are printed on one page, black on white, with product, email and date only', async () => {
    await pages.page().emulateMedia({ media: 'print', colorScheme: 'dark' });
    const text = await pages.page().locator('body').innerText();
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const { format } = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
    expect(lines.slice(0, 2)).to.deep.equal(['Recovery codes for Gatehouse', user.email]);
    // Midnight may have passed since the codes were shown.
    expect(lines[2]).to.be.oneOf([format(Date.now()), format(shownAt)]);
    expect(lines).to.have.length(3 + 1 + 10);
    await hasCount(pages.page().getByRole('button'), 0);
    const colours = `[...document.querySelectorAll('html, .paper, .codes li')].map((element) =>
      getComputedStyle(element)).map(({ color, backgroundColor }) => color + ' on ' + backgroundColor)`;
    expect(new Set(await pages.page().evaluate<string[]>(colours))).to.deep.equal(
      new Set(['rgb(0, 0, 0) on rgb(255, 255, 255)']),
    );
    for (const [format, width] of [
      ['Letter', 816],
      ['A4', 794],
    ] as const) {
      await pages.page().setViewportSize({ width, height: 1_000 });
      const broken = `[...document.querySelectorAll('.codes li')].filter((item) =>
        item.getBoundingClientRect().height > 1.5 * parseFloat(getComputedStyle(item).lineHeight) ||
        item.scrollWidth > item.clientWidth).length`;
      expect(await pages.page().evaluate(broken), format).to.equal(0);
      expect(pagesIn(await pages.page().pdf({ format })), format).to.equal(1);
    }
  });
});
