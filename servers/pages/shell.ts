import type { Language } from '../../core/index.ts';
import type { PageConfig } from '../client/page-config.ts';
import type { Answer } from '../http/answer.ts';
import { FRONT_HEADERS } from '../http/page/front-headers.ts';
import { Html, html } from '../http/page/html.ts';
import type { Front, Manifest } from './files.ts';

/** Scripts, styles and calls of this origin alone; no text ever becomes markup or code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  ...FRONT_HEADERS,
  Vary: 'Accept-Language, Origin',
} as const;

/** JSON that cannot end the element it stands in. */
const data = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

export interface ShellParts {
  readonly front: Front;
  readonly manifest: Manifest;
  readonly config: PageConfig;
  readonly path: string;
  readonly language: Language;
  /** The addresses of the styles, in the brand's own colours, and of its icon. */
  readonly theme: string;
  readonly icon: string;
}

const brand = ({ product, logo }: PageConfig): Html => {
  if (logo === null) return html`<i class="mark" aria-hidden="true"></i><span>${product}</span>`;
  const dark = logo.dark === null ? [] : [html`<img class="dark" src="${logo.dark}" alt="${product}">`];
  return html`${dark}<img src="${logo.light}" alt="${product}">`;
};

const withoutScript = ({ manifest, path, language }: ShellParts): Html => {
  const said = manifest.saidWithoutScript[language][path];
  if (said !== undefined) return html`<p>${said}</p>`;
  return html`<p class="notice warn"><span class="sign" aria-hidden="true">!</span><span>${manifest.noScript[language]} <a href="/docs">/docs</a></span></p>`;
};

/** The parts of the account's front that stand beside its navigation: its place is kept. */
const OWN_AREAS: ReadonlySet<string> = new Set(['settings', 'security', 'billing']);

/** The page as it stands before its script runs: header, heading, and the place of what is to come. */
const textOf = (parts: ShellParts): string => {
  const { front, manifest, config, path, language, theme, icon } = parts;
  const file = (name: string) => `/${front}/files/${name}`;
  const title = manifest.titles[language][path] ?? config.product;
  const isConsole = front === 'console' && path !== '/sign-in';
  const heading = path === '/' && !isConsole ? config.product : title;
  const [own = ''] = manifest.entry;
  const area = manifest.areas[manifest.paths[path] ?? ''];
  const isOwn = front === 'account' && OWN_AREAS.has(manifest.paths[path] ?? '');
  const layout = isConsole ? 'console' : isOwn ? 'account' : 'form';
  const ahead = [...manifest.entry.slice(1), ...(area?.[language] ?? [])];
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title} – ${config.product}</title><link rel="icon" href="${icon}">
<script src="${file(manifest.early)}"></script>
<link rel="stylesheet" href="${theme}">
${ahead.map((name) => html`<link rel="modulepreload" href="${file(name)}">`)}<script type="module" src="${file(own)}"></script>
<script type="application/json" id="config">${data(config)}</script></head>
<body><div id="app"><header class="top"><a class="brand" href="/">${brand(config)}</a></header>
<main class="${layout}">${layout === 'account' ? html`<div class="side"></div>` : []}<div class="stack wide"><h1>${heading}</h1><noscript>${withoutScript(parts)}</noscript></div></main></div></body>
</html>
`.text;
};

export const shell = (parts: ShellParts): Answer<never> => ({
  status: 200,
  body: Buffer.from(textOf(parts)),
  headers: PAGE_HEADERS,
});
