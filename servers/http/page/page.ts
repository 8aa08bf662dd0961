import { createHash } from 'node:crypto';
import { type Language, languages } from '../../../core/accounts/mail/languages.ts';
import type { MailBranding } from '../../../core/accounts/policy.ts';
import { themesOf } from '../../../core/branding/index.ts';
import type { ResponseBody } from '../response-body.ts';
import { scriptlessPolicy } from './content-security-policy.ts';
import { Html, html, NOTHING } from './html.ts';
import { pageStyle } from './style.ts';

/** Branding from the operator's own files. */
export interface BrandAssets {
  /** Paths of this service; null without a logo. */
  readonly logo: { readonly light: string; readonly dark: string | null } | null;
  readonly icon: string | null;
  /** Custom properties that override those of the brand's colour; empty where there are none. */
  readonly themeCss: string;
}

/** Branding by the settings. */
export interface Branding extends MailBranding {
  /** The path at which people sign in; null where there is no such page. */
  readonly signInPath: string | null;
  /** Absent where the operator has no files. */
  readonly brand?: BrandAssets;
}

/** A text in each language of the pages. */
export type Texts = Readonly<Record<Language, string>>;

/** The languages with their regions, for dates and numbers. */
export const LOCALES: Texts = { en: 'en-GB', pl: 'pl-PL' };

/** The language of `ui_locales` in an address: tags separated by blanks, the best first, as in OpenID Connect. */
export const addressLanguage = (tags = ''): Language | undefined =>
  tags
    .split(' ')
    .map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '')
    .find((tag): tag is Language => Object.hasOwn(languages, tag));

/** The documentation of a response that is a page. */
export const PAGE_RESPONSE = {
  types: ['text/html'],
  headers: {
    'Content-Security-Policy': 'Nothing comes from elsewhere',
    'Referrer-Policy': '`no-referrer`',
  },
} as const;

const LINKS = {
  supportUrl: { en: 'Help', pl: 'Pomoc' },
  termsUrl: { en: 'Terms', pl: 'Regulamin' },
  privacyUrl: { en: 'Privacy', pl: 'Prywatność' },
} as const satisfies Partial<Record<keyof Branding, Texts>>;

const footer = (branding: Branding, language: Language): Html => {
  const links = (Object.keys(LINKS) as (keyof typeof LINKS)[]).flatMap((name) => {
    const url = branding[name];
    return url === null ? [] : [html`<a href="${url}">${LINKS[name][language]}</a>`];
  });
  return links.length === 0 ? NOTHING : html`<footer>${links}</footer>`;
};

export interface PageContent {
  readonly language: Language;
  readonly title: string;
  readonly content: Html;
  /** 200 when absent. */
  readonly status?: number;
}

/** Makes a small page without scripts and without anything from other origins. */
export type MakePage = (content: PageContent) => ResponseBody<never>;

/** An empty icon: a page that names none makes the browser ask for `/favicon.ico`. */
const NO_ICON = 'data:,';

const logoOf = ({ productName, brand }: Branding): Html => {
  const logo = brand?.logo ?? null;
  if (logo === null) return html`<i aria-hidden="true"></i><span>${productName}</span>`;
  const light = html`<img src="${logo.light}" alt="${productName}">`;
  if (logo.dark === null) return light;
  return html`<picture><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)">${light}</picture>`;
};

/** The header, which looks like that of the front's pages and links to their start where there are such pages. */
const header = (branding: Branding): Html =>
  branding.signInPath === null
    ? html`<div class="brand">${logoOf(branding)}</div>`
    : html`<a class="brand" href="/">${logoOf(branding)}</a>`;

const makeStyle = ({ brandColour, brand }: Branding) => {
  const style = pageStyle(themesOf(brandColour), brand?.themeCss);
  const { logo = null, icon = null } = brand ?? {};
  const imageSources = logo === null && icon === null ? 'data:' : "'self' data:";
  return { style, hash: createHash('sha256').update(style).digest('base64'), imageSources };
};

export const makePages = (branding: Branding): MakePage => {
  // Computed for the first page: at the start it would cause a delay.
  let styleSheet: ReturnType<typeof makeStyle> | undefined;
  return ({ language, title, content, status = 200 }) => {
    styleSheet ??= makeStyle(branding);
    const { style, hash, imageSources } = styleSheet;
    return {
      status,
      body: Buffer.from(
        html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – ${branding.productName}</title><link rel="icon" href="${branding.brand?.icon ?? NO_ICON}">
<style>${new Html(style)}</style></head>
<body><header>${header(branding)}</header>
<main>${content}</main>${footer(branding, language)}</body>
</html>
`.text,
      ),
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': scriptlessPolicy(hash, imageSources),
        'Referrer-Policy': 'no-referrer',
      },
    };
  };
};
