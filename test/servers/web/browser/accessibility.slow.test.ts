import { expect } from 'chai';
import type { User } from '../../../support/service.ts';
import { faults, zoomFaults } from '../screens.ts';
import { usePages } from './open-pages.ts';

const XSS = '"><img src=x onerror=alert(1)>';

const authorizationPath = (returnTo: string) =>
  `/account/continue?${new URLSearchParams({ return_to: returnTo, state: 's'.repeat(16), code_challenge: 'c'.repeat(43) })}`;

/** Paths of screens for signed-in users, each with a text that the screen shows. */
const SIGNED_IN: readonly (readonly [string, string | RegExp])[] = [
  ['/account', 'Details'],
  ['/account/security', 'Connected accounts'],
  ['/account/security/two-factor', 'Scan'],
  ['/account/sessions', 'This device'],
  ['/account/plan', /\/ month/],
  ['/account/domain', 'Set domain'],
  ['/account/delete', /Type .* to confirm/],
  [authorizationPath('https://app.example.com/signed-in'), /Continue to app\.example\.com as/],
  ['/billing/return', 'Your plan'],
];

const PUBLIC: readonly (readonly [string, string | RegExp])[] = [
  ['/account/sign-in', 'Continue with Example ID'],
  ['/account/return?state=s&error=access_denied', 'Go to sign-in'],
  ['/account/undo', 'Undo the change'],
  ['/account/gone', 'Your account is deleted.'],
  ['/billing/success', 'Your plan'],
];

describe('Every screen of the account pages', () => {
  const pages = usePages({ SIGN_IN_REDIRECTS: 'https://app.example.com/signed-in' });
  let user: User;
  before(async () => {
    user = await pages.service().signUp();
    const { service } = pages;
    await service().request('PATCH', '/api/auth/me', { token: user.token, body: { displayName: XSS } });
    await service().composition.accounts.operate.setTier(
      user.id,
      { tier: 'enterprise' },
      { actor: 'tests', reason: XSS },
    );
  });
  const show = async ([path, text]: readonly [string, string | RegExp]) => {
    await pages.open(path);
    await pages.page().getByText(text).first().waitFor();
  };
  const check = async (screens: typeof SIGNED_IN, visitor: User | undefined) => {
    await pages.begin(visitor);
    const problems: string[] = [];
    for (const screen of screens) {
      await show(screen);
      problems.push(...(await faults(pages.page(), screen[0])));
      await pages
        .page()
        .getByLabel(/^(Language|Język)$/)
        .first()
        .selectOption({ label: 'English' });
      problems.push(...(await zoomFaults(pages.page(), screen[0])));
      await pages.page().setViewportSize({ width: 1280, height: 800 });
    }
    return problems;
  };

  it('passes axe and has room for longer words for signed-in users', async () => {
    expect(await check(SIGNED_IN, user)).to.deep.equal([]);
    expect(pages.complaints()).to.deep.equal([]);
  });

  it('passes axe and has room for longer words for visitors', async () => {
    expect(await check(PUBLIC, undefined)).to.deep.equal([]);
    expect(pages.complaints()).to.deep.equal([]);
  });

  it('shows typed markup as text, and obeys its content security policy', async () => {
    const userAgent = `${XSS}<script>alert(1)</script>`;
    await pages.begin(user, { userAgent });
    for (const path of ['/', '/account', '/account/sessions', '/account/domain']) {
      await pages.open(path);
      await pages.page().getByRole('heading', { level: 1 }).waitFor();
      expect(await pages.page().locator('main img, main script').count(), path).to.equal(0);
    }
    await pages.fill('Domain', `${XSS}.example.com`);
    await pages.button('Set domain').click();
    await pages.sees('Enter a domain name, such as files.example.com.');
    expect(pages.complaints()).to.deep.equal([]);
  });

  it('keeps the borders of buttons and fields in forced colours', async () => {
    await pages.begin(user, { forcedColors: 'active' });
    await pages.open('/account/security');
    await pages.button('Change email').waitFor();
    const widths = await pages
      .page()
      .evaluate(
        "[...document.querySelectorAll('main .button:not(.link), main .input')].map((element) => getComputedStyle(element).borderTopWidth)",
      );
    expect(new Set(widths as readonly string[])).to.deep.equal(new Set(['1px']));
  });

  it('tells a disabled button, the current place and the current step apart in forced colours', async () => {
    await pages.begin(user, { forcedColors: 'active' });
    const styleOf = (selector: string, property: string) =>
      pages
        .page()
        .locator(selector)
        .first()
        .evaluate(
          (element, name) => Reflect.get(globalThis, 'getComputedStyle')(element).getPropertyValue(name),
          property,
        );
    await pages.open('/account/security/two-factor');
    await pages.page().getByRole('img').waitFor();
    for (const [current, other, property] of [
      ['.side a[aria-current]', '.side a:not([aria-current])', 'border-left-color'],
      ['.steps [aria-current]', '.steps li:not([aria-current])', 'border-top-color'],
    ] as const)
      expect(await styleOf(current, property)).to.not.equal(await styleOf(other, property));
    await pages.begin(undefined, { forcedColors: 'active' });
    await pages.open('/account/sign-up');
    await pages.fill('Email', 'forced@example.com');
    await pages.fill('Password', 'correct horse battery');
    await pages.button('Create account').click();
    await pages.button('Send again').waitFor();
    expect(await styleOf('[aria-disabled]', 'color')).to.not.equal(await styleOf('[type=submit]', 'color'));
  });
});
