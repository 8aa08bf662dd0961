import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { noBrand, readBrand } from '../../../adapters/branding/read-branding.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';
const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const THEME =
  '/* ours */\n:root { --accent: #123; --radius: calc(2px * 3); }\n@media (prefers-color-scheme: dark) {\n  :root { --accent: oklch(0.8 0.1 20); }\n}\n:root[data-theme="dark"] { --accent: red; }\n';

describe('The brand folder', () => {
  const folder = useTempFolder();
  const readFolder = (files: Readonly<Record<string, string | Buffer>>) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder(), name), content);
    return readBrand(folder());
  };

  it('provides logos, icon, mail logo and theme', () => {
    const brand = readFolder({
      ...{ 'logo.svg': SVG, 'logo-dark.png': PNG, 'icon.png': PNG },
      ...{ 'mail-logo.png': PNG, 'theme.css': THEME, '.hidden': 'x' },
    });
    expect(brand.logo).to.deep.equal({ type: 'image/svg+xml', bytes: Buffer.from(SVG) });
    expect(brand.logoDark?.type).to.equal('image/png');
    expect(brand.mailLogo).to.deep.equal({ cid: 'logo', type: 'image/png', bytes: PNG });
    expect(brand.themeCss).to.equal(THEME);
    expect(readBrand(null)).to.equal(noBrand);
  });

  for (const [files, line] of [
    [{ 'notes.txt': 'x' }, 'BRAND_DIR: notes.txt is none of logo.svg'],
    [{ 'logo.svg': 'a'.repeat(102_401) }, 'BRAND_DIR: logo.svg has more than 100 KiB.'],
    [{ 'mail-logo.png': Buffer.concat([PNG, Buffer.alloc(20_480)]) }, 'mail-logo.png has more than 20 KiB.'],
    [{ 'icon.png': SVG }, 'BRAND_DIR: icon.png is no PNG file.'],
    [{ 'logo.svg': 'nothing' }, 'BRAND_DIR: logo.svg is no SVG file.'],
    [{ 'logo.svg': SVG, 'logo.png': PNG }, 'logo.svg and logo.png must not both be there.'],
    [
      { 'theme.css': ':root { color: red; }' },
      'theme.css has more than custom properties of :root, in line 1.',
    ],
    [{ 'theme.css': '\n@import "x";' }, 'in line 2.'],
    [{ 'theme.css': ':root { --a: url(//evil.example); }' }, 'in line 1.'],
    [{ 'theme.css': ':root { --a: url(//evil.example) }' }, 'in line 1.'],
    [{ 'theme.css': 'body { --a: 1; }' }, 'in line 1.'],
    [{ 'theme.css': ':root { --a: 1; ' }, 'theme.css has a brace that is not closed, in line 1.'],
    [{ 'theme.css': ':root { --a: \\75rl(x); }' }, 'in line 1.'],
  ] as const)
    it(`is refused: ${line}`, () => {
      expect(() => readFolder(files)).to.throw(ConfigError, line);
    });

  it('accepts a theme without a final semicolon in a block, or with an underscore in a name', () => {
    const theme =
      ':root{--a:1}\n:root { --a_b: 2; --c: 3 }\n@media (prefers-color-scheme: dark) { :root { --a: 4\n} }';
    expect(readFolder({ 'theme.css': theme }).themeCss).to.equal(theme);
  });

  it('is refused if missing', () => {
    expect(() => readBrand(join(folder(), 'none'))).to.throw(ConfigError, /^BRAND_DIR must be the path/);
  });
});
