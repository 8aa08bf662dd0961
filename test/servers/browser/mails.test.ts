import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { previewMails } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { hasCount, openPage, useBrowser } from '../../support/browser.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { IS_LONG, overflow, violations } from '../web/screens.ts';

/** A PNG of one pixel. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const LINKS = {
  SUPPORT_URL: 'https://a.example/',
  TERMS_URL: 'https://b.example/',
  PRIVACY_URL: 'https://c.example/',
};

/** Each theme is checked by axe at `width`; at `other`, only the width of the page is checked. */
const VARIANTS = [
  { colorScheme: 'light', width: 390, other: 700, checkedIn: 'en' },
  { colorScheme: 'dark', width: 700, other: 390, checkedIn: 'pl' },
] as const;

describe('The mails of a preview in a browser', () => {
  const browser = useBrowser();
  const folder = useTempFolder();

  for (const language of ['en', 'pl'])
    it(`pass axe and fit narrow and wide windows in ${language}`, async () => {
      const config = readConfig({ DATA_DIR: folder(), BRAND_COLOUR: '#00a86b', ...LINKS }, folder());
      const names = previewMails(config, folder(), { language });
      expect(names).to.have.length.above(15);
      const { page, context, complaints } = await openPage(browser());
      const problems: string[] = [];
      for (const name of names) {
        await page.setContent(readFileSync(join(folder(), `${name}.html`), 'utf8'));
        expect(await page.locator('header, h1, main, footer').count(), name).to.equal(4);
        for (const { colorScheme, width, other, checkedIn } of VARIANTS) {
          await page.emulateMedia({ colorScheme });
          for (const pixels of [other, width]) {
            await page.setViewportSize({ width: pixels, height: 800 });
            if ((await overflow(page)) > 0) problems.push(`${name}, ${colorScheme}, ${pixels} px: too wide`);
          }
          // Colours do not depend on the language, so each theme is checked in one; `--long` checks both.
          if (checkedIn !== language && !IS_LONG) continue;
          const faults = await violations(page);
          problems.push(...faults.map((fault) => `${name}, ${colorScheme}, ${width} px: ${fault}`));
        }
      }
      await context.close();
      expect(problems).to.deep.equal([]);
      expect(complaints).to.deep.equal([]);
    });

  it('show the logo in place of the name', async () => {
    writeFileSync(join(folder(), 'mail-logo.png'), Buffer.from(LOGO, 'base64'));
    const config = readConfig({ DATA_DIR: folder(), BRAND_DIR: folder() }, folder());
    const out = join(folder(), 'out');
    const [name = ''] = previewMails(config, out, { template: 'verify' });
    const { page, context, complaints } = await openPage(browser());
    await page.setContent(readFileSync(join(out, `${name}.html`), 'utf8'));
    await hasCount(page.getByRole('banner').getByRole('img', { name: 'Gatehouse' }), 1);
    expect(await violations(page)).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });
});
