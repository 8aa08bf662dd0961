import { expect } from 'chai';
import { contrast, DEFAULT_COLOUR, themesOf } from '../../../core/branding/index.ts';
import { mixed } from '../../../core/branding/oklch.ts';
import { colourScheme, themeCss } from '../../../servers/http/page/style.ts';
import { readStyles } from '../../../servers/pages/built-files.ts';

/** A colour, what it becomes on light and on dark grounds, and the least contrast there. */
const TRIED = [
  ['#ffcc00', '#896c06', 4.65, '#ffcc00', 10.18],
  ['#e50914', '#e00b14', 4.63, '#ff4d42', 4.69],
  ['#00a86b', '#058252', 4.53, '#00a86b', 5],
  ['#000000', '#000000', 19.59, '#8c8c8c', 4.58],
] as const;

/** A colour, and its tone under the pointer and its tint: on light grounds, then on dark ones. */
const DERIVED = [
  ['#000000', '#000000', '#e6e6e6', '#9b9b9b', '#22262c'],
  ['#ffff80', '#676600', '#f7f7f0', '#ffffff', '#2f332b'],
  ['#ff0066', '#c6004e', '#fef5f8', '#ff6c89', '#2f202a'],
] as const;

/** A declaration as a minifier writes it, too: without blanks, and with long colours. */
const withoutBlanks = (declaration: string) =>
  declaration.replaceAll(/[\s;]/g, '').replaceAll(/#(\w)(\w)(\w)(?!\w)/g, '#$1$1$2$2$3$3');

const two = (ratio: number) => Math.round(ratio * 100) / 100;

describe('The colour of a brand', () => {
  for (const [colour, light, onLight, dark, onDark] of TRIED)
    it(`${colour} is ${light} on light grounds and ${dark} on dark ones`, () => {
      const themes = themesOf(colour);
      expect([themes.light.accent, themes.dark.accent]).to.deep.equal([light, dark]);
      expect(two(contrast(light, themes.light.bg))).to.equal(onLight);
      expect(two(contrast(dark, themes.dark.raised))).to.equal(onDark);
    });

  for (const [colour, light, softLight, dark, softDark] of DERIVED)
    it(`${colour} is ${light} where the pointer is on light grounds, ${dark} on dark ones, and tints both`, () => {
      const themes = themesOf(colour);
      expect([themes.light.accentHover, themes.light.accentSoft]).to.deep.equal([light, softLight]);
      expect([themes.dark.accentHover, themes.dark.accentSoft]).to.deep.equal([dark, softDark]);
    });

  it('has two digits for each part of a mixed colour', () => {
    expect(mixed('#000000', '#102030', 0.5)).to.equal('#081018');
  });

  it('keeps the pair that was made by hand for the product’s own', () => {
    const { light, dark } = themesOf(DEFAULT_COLOUR);
    expect(light).to.include({ accent: '#2f55d4', accentHover: '#2646b3', accentSoft: '#e8edfc' });
    expect(dark).to.include({ accent: '#93abff', accentHover: '#b0c2ff', accentSoft: '#1d2744' });
  });

  it('stands in the style sheets of the pages as well, with all other colours', () => {
    const due = colourScheme(themesOf(DEFAULT_COLOUR)).split('; ').map(withoutBlanks);
    expect(due).to.have.length(18);
    for (const front of ['account', 'console'] as const) {
      const declarations = new Set(readStyles(front).toString().split(/[{;}]/).map(withoutBlanks));
      expect(
        due.filter((declaration) => !declarations.has(declaration)),
        front,
      ).to.deep.equal([]);
    }
  });

  it('can be read on every ground, and what stands on it, whatever it is', () => {
    const levels = ['00', '33', '66', '99', 'cc', 'ff'];
    const all = levels.flatMap((r) => levels.flatMap((g) => levels.map((b) => `#${r}${g}${b}`)));
    for (const colour of [DEFAULT_COLOUR, ...all])
      for (const [name, tokens] of Object.entries(themesOf(colour))) {
        const { accent, onAccent, accentSoft, focus, bg, surface, raised } = tokens;
        for (const ground of [bg, surface, raised, onAccent, accentSoft])
          expect(contrast(accent, ground), `${colour} ${name} on ${ground}`).to.be.at.least(4.5);
        expect(contrast(focus, bg)).to.be.at.least(3);
      }
  });

  it('becomes a style sheet in a layer above that of the pages, and below the operator’s own', () => {
    const css = themeCss('#00a86b', ':root { --accent: hotpink; }');
    expect(css).to.match(/^@layer kit, theme;\n@layer theme \{/);
    expect(css).to.include('--accent: #058252;').and.include('--on-accent: #0f1424;');
    expect(css).to.include('prefers-color-scheme: dark').and.include('[data-theme="dark"]');
    expect(css.indexOf('hotpink')).to.be.greaterThan(css.lastIndexOf('#00a86b'));
    expect(css).to.not.include('--bg:');
  });
});
