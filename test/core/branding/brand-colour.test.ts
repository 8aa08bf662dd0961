import { expect } from 'chai';
import { contrast, DEFAULT_COLOUR, themesOf } from '../../../core/branding/index.ts';
import { blend } from '../../../core/branding/oklch.ts';
import { colourScheme, themeCss } from '../../../servers/http/page/style.ts';
import { readStyles } from '../../../servers/pages/built-files.ts';

/** A colour, its accent and lowest contrast on light backgrounds, then on dark backgrounds. */
const ACCENTS = [
  ['#ffcc00', '#896c06', 4.65, '#ffcc00', 10.18],
  ['#e50914', '#e00b14', 4.63, '#ff4d42', 4.69],
  ['#00a86b', '#058252', 4.53, '#00a86b', 5],
  ['#000000', '#000000', 19.59, '#8c8c8c', 4.58],
] as const;

/** A colour, its hover tone and tint on light backgrounds, then on dark backgrounds. */
const DERIVED = [
  ['#000000', '#000000', '#e6e6e6', '#9b9b9b', '#22262c'],
  ['#ffff80', '#676600', '#f7f7f0', '#ffffff', '#2f332b'],
  ['#ff0066', '#c6004e', '#fef5f8', '#ff6c89', '#2f202a'],
] as const;

/** A declaration in a form that minified and other style sheets share: without blanks, with long colours. */
const withoutBlanks = (declaration: string) =>
  declaration.replaceAll(/[\s;]/g, '').replaceAll(/#(\w)(\w)(\w)(?!\w)/g, '#$1$1$2$2$3$3');

const roundToHundredths = (ratio: number) => Math.round(ratio * 100) / 100;

describe('A brand colour', () => {
  for (const [colour, light, onLight, dark, onDark] of ACCENTS)
    it(`is ${light} on light backgrounds and ${dark} on dark ones for ${colour}`, () => {
      const themes = themesOf(colour);
      expect([themes.light.accent, themes.dark.accent]).to.deep.equal([light, dark]);
      expect(roundToHundredths(contrast(light, themes.light.bg))).to.equal(onLight);
      expect(roundToHundredths(contrast(dark, themes.dark.raised))).to.equal(onDark);
    });

  for (const [colour, light, softLight, dark, softDark] of DERIVED)
    it(`has the hover tones ${light} and ${dark}, and tints, for ${colour}`, () => {
      const themes = themesOf(colour);
      expect([themes.light.accentHover, themes.light.accentSoft]).to.deep.equal([light, softLight]);
      expect([themes.dark.accentHover, themes.dark.accentSoft]).to.deep.equal([dark, softDark]);
    });

  it('has two digits for each component after mixing', () => {
    expect(blend('#000000', '#102030', 0.5)).to.equal('#081018');
  });

  it('is replaced by a hand-made pair if it is the default colour', () => {
    const { light, dark } = themesOf(DEFAULT_COLOUR);
    expect(light).to.include({ accent: '#2f55d4', accentHover: '#2646b3', accentSoft: '#e8edfc' });
    expect(dark).to.include({ accent: '#93abff', accentHover: '#b0c2ff', accentSoft: '#1d2744' });
  });

  it('is part of the style sheets of all pages, with all other colours', () => {
    const expected = colourScheme(themesOf(DEFAULT_COLOUR)).split('; ').map(withoutBlanks);
    expect(expected).to.have.length(18);
    for (const pages of ['account', 'console'] as const) {
      const declarations = new Set(readStyles(pages).toString().split(/[{;}]/).map(withoutBlanks));
      expect(
        expected.filter((declaration) => !declarations.has(declaration)),
        pages,
      ).to.deep.equal([]);
    }
  });

  it('is legible on every background, and text is legible on it, for any colour', () => {
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

  it("becomes a style sheet in a layer above the pages' layer and below the operator's styles", () => {
    const css = themeCss('#00a86b', ':root { --accent: hotpink; }');
    expect(css).to.match(/^@layer kit, theme;\n@layer theme \{/);
    expect(css).to.include('--accent: #058252;').and.include('--on-accent: #0f1424;');
    expect(css).to.include('prefers-color-scheme: dark').and.include('[data-theme="dark"]');
    expect(css.indexOf('hotpink')).to.be.greaterThan(css.lastIndexOf('#00a86b'));
    expect(css).to.not.include('--bg:');
  });
});
