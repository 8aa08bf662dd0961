import type { Language } from '../../core/index.ts';
import type { PageConfig } from '../client/page-config.ts';
import { FRONT_POLICY } from '../http/page/content-security-policy.ts';
import { Html, html } from '../http/page/html.ts';
import type { ResponseBody } from '../http/response-body.ts';
import { FRONT_HEADERS } from '../http/security-headers.ts';
import type { Front, Manifest } from './built-files.ts';

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': FRONT_POLICY,
  ...FRONT_HEADERS,
  // Replaces the `Vary: Origin` of the CORS middleware, and so repeats its value.
  Vary: 'Accept-Language, Origin',
} as const;

/** JSON as the content of a `script` element. Without `<` no text in it can end the element. */
const data = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

export interface ShellParts {
  readonly front: Front;
  readonly manifest: Manifest;
  readonly config: PageConfig;
  readonly path: string;
  readonly language: Language;
  /** Whether the address names the language, which then overrides the language that the browser stores. */
  readonly isLanguageInAddress: boolean;
  /** The addresses of the styles, in the brand's own colours, and of its icon. */
  readonly theme: string;
  readonly icon: string;
}

const brand = ({ product, logo }: PageConfig): Html => {
  if (logo === null) return html`<i class="mark" aria-hidden="true"></i><span>${product}</span>`;
  const dark = logo.dark === null ? [] : [html`<img class="dark" src="${logo.dark}" alt="${product}">`];
  return html`${dark}<img src="${logo.light}" alt="${product}">`;
};

/** The sign-in methods, as far as they can be listed without a script. */
const signInMethods = ({ manifest, config, language }: ShellParts): Html => {
  const { methods, password, passkey, provider } = manifest.plain[language];
  const names = [
    password,
    ...(config.passkeys ? [passkey] : []),
    // The replacement is a function, since `$` in a text would have a meaning.
    ...config.providers.map(({ name }) => provider.replace('{name}', () => name)),
  ];
  return html`<p>${methods}</p><ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`;
};

/** The text of a page while no script runs. It is no `noscript`, which browsers do not show where an extension blocks scripts. */
const withoutScript = (parts: ShellParts): Html => {
  const { manifest, config, path, language } = parts;
  const statement = manifest.saidWithoutScript[language][path];
  if (statement !== undefined) return html`<p>${statement}</p>`;
  const { noScript, api } = manifest.plain[language];
  // A trial is an installation outside production: who opens it may be a developer.
  const apiReference = config.trial === null ? [] : [html`<p>${api} <a href="/docs">/docs</a></p>`];
  return html`<p class="notice warn"><span class="sign" aria-hidden="true">!</span><span>${noScript}</span></p>${path.endsWith('/sign-in') ? signInMethods(parts) : []}${apiReference}`;
};

/** The areas with the account's navigation, for which the shell reserves the place. */
const SIGNED_IN_AREAS: ReadonlySet<string> = new Set(['account', 'security', 'setup', 'billing']);

/** The layout of the page until its script runs. */
const layoutOf = ({ front, manifest, path }: ShellParts): 'account' | 'console' | 'form' => {
  if (front === 'console') return path === '/sign-in' ? 'form' : 'console';
  return SIGNED_IN_AREAS.has(manifest.paths[path] ?? '') ? 'account' : 'form';
};

/** The page before its script runs: header, heading, and the text that the styles show if no script runs. */
const textOf = (parts: ShellParts): string => {
  const { front, manifest, config, path, language, isLanguageInAddress, theme, icon } = parts;
  const file = (name: string) => `/${front}/files/${name}`;
  const title = manifest.titles[language][path] ?? config.product;
  // The script heads the start page with the product, too.
  const heading = path === '/' && front === 'account' ? config.product : title;
  const [entryScript = ''] = manifest.entry;
  const area = manifest.areas[manifest.paths[path] ?? ''];
  const layout = layoutOf(parts);
  const preloaded = [...manifest.entry.slice(1), ...(area?.[language] ?? [])];
  return html`<!doctype html>
<html lang="${language}" dir="ltr"${isLanguageInAddress ? html` data-from-address` : []}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title} – ${config.product}</title><link rel="icon" href="${icon}">
<script src="${file(manifest.early)}"></script>
<link rel="stylesheet" href="${theme}">
${preloaded.map((name) => html`<link rel="modulepreload" href="${file(name)}">`)}<script type="module" src="${file(entryScript)}"></script>
<script type="application/json" id="config">${data(config)}</script></head>
<body><div id="app"><header class="top"><a class="brand" href="/">${brand(config)}</a></header>
<main class="${layout}">${layout === 'account' ? html`<div class="side"></div>` : []}<div class="stack wide"><h1>${heading}</h1><div class="scriptless stack">${withoutScript(parts)}</div></div></main></div></body>
</html>
`.text;
};

export const shell = (parts: ShellParts): ResponseBody<never> => ({
  status: 200,
  body: Buffer.from(textOf(parts)),
  headers: PAGE_HEADERS,
});
