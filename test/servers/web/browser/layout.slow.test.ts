import { expect } from 'chai';
import { hasCount } from '../../../support/browser.ts';
import type { User } from '../../../support/service.ts';
import { usePages } from './open-pages.ts';

const APP = 'https://app.example.com/signed-in';
const REQUEST = new URLSearchParams({
  return_to: APP,
  state: 's'.repeat(16),
  code_challenge: 'c'.repeat(43),
});

/** The edges of the brand and of the content below it, and the padding of the first card. */
const EDGES = `(() => {
  const main = document.querySelector('main');
  const { paddingLeft, paddingTop } = getComputedStyle(main);
  const card = main.querySelector('.card, section');
  return {
    brand: document.querySelector('.brand').getBoundingClientRect().left,
    content: main.getBoundingClientRect().left + parseFloat(paddingLeft),
    top: main.getBoundingClientRect().top + parseFloat(paddingTop),
    padding: card && getComputedStyle(card).padding,
  };
})()`;

interface Edges {
  readonly brand: number;
  readonly content: number;
  readonly top: number;
  readonly padding: string | null;
}

describe('The layout of the account pages', () => {
  const pages = usePages({ SIGN_IN_REDIRECTS: APP });
  const { arrives, button, open, sees, service } = pages;
  let user: User;
  before(async () => {
    user = await service().signUp();
    const by = { actor: 'tests', reason: 'a test' };
    await service().composition.accounts.operate.setTier(user.id, { tier: 'enterprise' }, by);
  });

  const edgesOf = async (path: string, width: number): Promise<Edges> => {
    await pages.page().setViewportSize({ width, height: 800 });
    await pages.page().goto(pages.origin() + path);
    await pages.page().locator('main :is(.card, section)').first().waitFor();
    return pages.page().evaluate<Edges>(EDGES);
  };

  for (const width of [390, 768, 1_280])
    it(`has header and content in one column at ${width} px, also on error pages of the server`, async () => {
      await pages.begin();
      const signIn = await edgesOf('/account/sign-in', width);
      expect(signIn.brand).to.equal(signIn.content);
      expect(await edgesOf('/nowhere', width)).to.deep.equal(signIn);
      await pages.begin(user);
      const profile = await edgesOf('/account', width);
      expect(profile.brand).to.equal(profile.content);
    });

  it('has room for the language choice and a whole recovery code on a phone', async () => {
    await pages.begin(undefined, { locale: 'pl-PL', viewport: { width: 390, height: 844 } });
    await open('/account/sign-in');
    const cut = `[...document.querySelectorAll('.top select')].map((select) => {
      const { width } = select.getBoundingClientRect();
      select.style.flex = 'none';
      return select.getBoundingClientRect().width - width;
    })`;
    expect(await pages.page().evaluate(cut)).to.deep.equal([0, 0]);
    await open('/account/reset');
    await pages.fill('Kod', 'NT3N-V4YK-RGGT-S5QG-4Z2D-0ABC');
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.input.code'))`;
    expect(await pages.page().evaluate(hidden)).to.equal(0);
  });

  it('has one card on the home page', async () => {
    await pages.begin();
    await open('/');
    await pages.page().getByText('Emails are saved in').waitFor();
    await hasCount(pages.page().locator('.card'), 1);
  });

  it('has the QR code at the left of the key, with a copy button', async () => {
    await pages.begin(user);
    await open('/account/security/two-factor');
    const [qr, key] = await Promise.all(
      ['.qr', 'main code'].map((selector) => pages.page().locator(selector).boundingBox()),
    );
    expect(key?.x).to.be.above((qr?.x ?? 0) + (qr?.width ?? 0));
    await hasCount(button('Copy'), 1);
  });

  it('has aligned copy buttons for the parts of a DNS record', async () => {
    await pages.begin(user);
    await open('/account/domain');
    await pages.fill('Domain', 'files.ada-lovelace.dev');
    await button('Set domain').click();
    const icons = pages.page().getByRole('button', { name: /^Copy: / });
    await icons.first().waitFor();
    await hasCount(icons, 3);
    const boxes = await Promise.all([0, 1, 2].map((index) => icons.nth(index).boundingBox()));
    expect(new Set(boxes.map((box) => `${box?.x} ${box?.width} ${box?.height}`)).size).to.equal(1);
  });

  it('follows the font size that the browser is set to, without a horizontal scrollbar', async () => {
    await pages.begin(user, { viewport: { width: 390, height: 844 } });
    const page = pages.page();
    const settings = await page.context().newCDPSession(page);
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 24 } });
    for (const path of ['/account', '/account/security', '/account/plan']) {
      await open(path);
      await page.locator('main :is(.card, section)').first().waitFor();
      const measure = `({
        font: getComputedStyle(document.body).fontSize,
        hidden: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      })`;
      expect(await page.evaluate(measure), path).to.deep.equal({ font: '24px', hidden: 0 });
    }
  });

  it('has room for what a year saves, in Polish at 400 %', async () => {
    // 320 px are 1280 at 400 %.
    await pages.begin(await service().signUp(), { viewport: { width: 320, height: 256 } });
    await open('/account/plan?ui_locales=pl');
    await pages.page().getByLabel('Rocznie').check();
    const tag = pages.page().locator('.plans .tag').first();
    await tag.waitFor();
    const spare = await tag.evaluate(
      ({ clientWidth, scrollWidth }: { clientWidth: number; scrollWidth: number }) =>
        clientWidth - scrollWidth,
    );
    expect(spare).to.equal(0);
  });

  it('has a round crop area with zoom buttons, and a keyboard hint only without touch', async () => {
    for (const isMobile of [false, true]) {
      await pages.begin(user, { isMobile, hasTouch: isMobile });
      await open('/account');
      await button('Change picture').waitFor();
      const buffer = await pages.page().screenshot();
      await pages
        .page()
        .locator('input[type=file]')
        .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
      await sees('Drag the picture to move it. Or use the arrow keys, + and −.');
      expect(await pages.page().getByText('Or use the arrow keys, + and −.').last().isVisible()).to.equal(
        !isMobile,
      );
      await button('Zoom in').click();
      await button('Zoom in').click();
      await button('Zoom out').click();
      expect(await pages.page().getByLabel('Zoom', { exact: true }).inputValue()).to.equal('1.1');
      // The ring is round the area: the mask would darken it on the canvas.
      await pages.page().locator('canvas').press('ArrowLeft');
      const ring = "getComputedStyle(document.querySelector('.crop')).outlineStyle";
      expect(await pages.page().evaluate(ring)).to.equal('solid');
      const mask = "getComputedStyle(document.querySelector('.crop'), '::after').borderRadius";
      expect(await pages.page().evaluate(mask)).to.equal('50%');
    }
  });

  it('has a link that cancels the authorization of an app', async () => {
    await pages.begin(user);
    await open(`/account/continue?${REQUEST}`);
    await pages.page().getByText(`Continue to app.example.com as ${user.email}.`).waitFor();
    await pages.page().getByRole('link', { name: 'Cancel' }).click();
    await arrives('/account');
  });
});
