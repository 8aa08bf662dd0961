import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { previewMails } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { hasCount, openPage, useBrowser } from '../../support/browser.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { IS_LONG, overflow, violations } from '../web/screens.ts';

/** One pixel. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const LINKS = {
  SUPPORT_URL: 'https://a.example/',
  TERMS_URL: 'https://b.example/',
  PRIVACY_URL: 'https://c.example/',
};

/** Both themes, the one with the narrow window and the other with the wide one; at the other width, the room alone. */
const LOOKS = [
  { colorScheme: 'light', width: 390, other: 700, seenIn: 'en' },
  { colorScheme: 'dark', width: 700, other: 390, seenIn: 'pl' },
] as const;

describe('Every mail of a preview, in a browser', () => {
  const browser = useBrowser();
  const folder = useTempFolder();

  for (const language of ['en', 'pl'])
    it(`has no fault that axe finds, and room, in ${language}`, async () => {
      const config = readConfig({ DATA_DIR: folder(), BRAND_COLOUR: '#00a86b', ...LINKS }, folder());
      const names = previewMails(config, folder(), { language });
      expect(names).to.have.length.above(15);
      const { page, context, complaints } = await openPage(browser());
      const found: string[] = [];
      for (const name of names) {
        await page.setContent(readFileSync(join(folder(), `${name}.html`), 'utf8'));
        expect(await page.locator('header, h1, main, footer').count(), name).to.equal(4);
        for (const { colorScheme, width, other, seenIn } of LOOKS) {
          await page.emulateMedia({ colorScheme });
          for (const each of [other, width]) {
            await page.setViewportSize({ width: each, height: 800 });
            if ((await overflow(page)) > 0) found.push(`${name}, ${colorScheme}, ${each} px: too wide`);
          }
          // No colour depends on the language: each theme is looked at in one, and with `--long` in both.
          if (seenIn !== language && !IS_LONG) continue;
          const faults = await violations(page);
          found.push(...faults.map((fault) => `${name}, ${colorScheme}, ${width} px: ${fault}`));
        }
      }
      await context.close();
      expect(found).to.deep.equal([]);
      expect(complaints).to.deep.equal([]);
    });

  it('shows the logo in place of the name', async () => {
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
