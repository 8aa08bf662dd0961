import { type Hex, type TokenName, type Tokens, themesOf } from '../../branding/index.ts';
import type { MailBranding } from '../policy.ts';
import type { InlineImage } from './mail-texts.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Writes a colour of six decimal digits as `rgb()`, so that nothing but the code has six digits in the source of a mail. */
const cssColour = (hex: Hex): string =>
  /^#\d{6}$/.test(hex)
    ? `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
    : hex;

/** The CSS classes of a mail with their colours. */
const COLOURED: Readonly<Record<string, Readonly<Record<string, TokenName>>>> = {
  page: { background: 'bg', color: 'text' },
  card: { background: 'surface', color: 'text', 'border-color': 'line' },
  code: { background: 'accentSoft', color: 'text' },
  name: { color: 'text' },
  mark: { color: 'accent' },
  foot: { color: 'muted' },
  label: { color: 'muted' },
};

const colours = (name: string, tokens: Tokens, suffix: string): string =>
  Object.entries(COLOURED[name] ?? {})
    .map(([property, token]) => `${property}: ${cssColour(tokens[token])}${suffix}`)
    .join(' ');

/** A class with inline light colours, for mail clients without style sheets. The style sheet has the dark colours. */
const coloured = (name: string, tokens: Tokens, style: string): string =>
  `class="${name}" style="${colours(name, tokens, ';')} ${style}"`;

const darkSheet = (tokens: Tokens): string =>
  Object.keys(COLOURED)
    .map((name) => `.${name} { ${colours(name, tokens, ' !important;')} }`)
    .join('\n');

export interface FootTexts {
  readonly support: string;
  readonly terms: string;
  readonly privacy: string;
}

/** The HTML around the text of mails: one column without external resources. */
export const makeFrame = (branding: MailBranding, logo: InlineImage | null) => {
  const { light, dark } = themesOf(branding.brandColour);
  const name = escaped(branding.productName);

  const head =
    logo !== null
      ? `<img src="cid:${escaped(logo.cid)}" alt="${name}" style="display: block; max-height: 48px; max-width: 240px">`
      : `<p ${coloured('name', light, 'margin: 0; font-weight: 600')}>\n<span aria-hidden="true" ${coloured('mark', light, 'margin-right: 8px')}>&#9670;</span>${name}\n</p>`;

  const links = (texts: FootTexts) =>
    [
      [branding.supportUrl, texts.support],
      [branding.termsUrl, texts.terms],
      [branding.privacyUrl, texts.privacy],
    ]
      .flatMap(([url, label]) =>
        url && label
          ? [
              `<a ${coloured('foot', light, 'display: inline-block; padding: 4px 0; margin-right: 16px')} href="${escaped(url)}">${escaped(label)}</a>`,
            ]
          : [],
      )
      .join('\n');

  /** The code has a line of its own in the source as well, so that a transfer encoding does not split it. */
  const code = (text: string) =>
    `<p ${coloured('code', light, 'margin: 0 0 16px; padding: 12px 16px; border-radius: 6px; font: 600 28px/34px ui-monospace, monospace; letter-spacing: 0.1em')}>\n${escaped(text)}\n</p>`;

  /** A table, since few mail clients support CSS grids. */
  const details = (rows: readonly (readonly [label: string, value: string])[]) =>
    [
      '<table style="margin: 0 0 16px; border-collapse: collapse">',
      ...rows.map(
        ([label, value]) =>
          `<tr>\n<th scope="row" ${coloured('label', light, 'padding: 0 16px 4px 0; font-weight: 400; text-align: left; vertical-align: top')}>${escaped(label)}:</th>\n<td style="padding: 0 0 4px; vertical-align: top">${escaped(value)}</td>\n</tr>`,
      ),
      '</table>',
    ].join('\n');

  const frame = (letter: {
    readonly language: string;
    readonly title: string;
    readonly body: string;
    readonly closing: string;
    readonly foot: FootTexts;
  }): string =>
    [
      '<!doctype html>',
      `<html lang="${letter.language}">`,
      '<head>',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      '<meta name="supported-color-schemes" content="light dark">',
      `<title>${escaped(letter.title)}</title>`,
      '<style>',
      ':root { color-scheme: light dark; }',
      `@media (prefers-color-scheme: dark) {\n${darkSheet(dark)}\n}`,
      '</style>',
      '</head>',
      `<body ${coloured('page', light, 'margin: 0; padding: 24px 16px; font: 16px/24px system-ui, sans-serif')}>`,
      '<div style="max-width: 36rem; margin: 0 auto">',
      `<header style="display: block; margin: 0 0 16px">\n${head}\n</header>`,
      `<main ${coloured('card', light, 'display: block; padding: 24px 24px 8px; border-width: 1px; border-style: solid; border-radius: 12px; overflow-wrap: anywhere')}>`,
      `<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 28px; font-weight: 600">\n${escaped(letter.title)}\n</h1>`,
      letter.body,
      '</main>',
      `<footer ${coloured('foot', light, 'display: block; padding: 16px 0; font-size: 14px; line-height: 20px')}>`,
      `<p style="margin: 0 0 8px">\n${escaped(letter.closing)}\n</p>`,
      links(letter.foot),
      '</footer>',
      '</div>',
      '</body>',
      '</html>',
      '',
    ].join('\n');

  return { frame, code, details };
};
