import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that needs no escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const insert = (value: string | number | Html | readonly Html[]): string => {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
};

/** Writes HTML. Values are escaped unless they are `Html` themselves. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html => new Html(parts.reduce((text, part, place) => text + insert(values[place - 1] ?? '') + part));

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: color-mix(in srgb, CanvasText 20%, transparent); }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: Canvas; color: CanvasText; }
main { width: min(26rem, calc(100vw - 2rem)); padding: 2rem 0; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .25rem; }
section { border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin: 0 0 1rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
p:last-child { margin: 0; }
a { color: #2f5bea; color: light-dark(#2f5bea, #9db4ff); }
.price { font-size: 1.6rem; font-weight: 600; }
.note { color: color-mix(in srgb, CanvasText 70%, Canvas); font-size: .875rem; }
label { display: block; font-size: .875rem; margin: 0 0 .75rem; }
input { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem .75rem; margin-top: .25rem;
  border: 1px solid color-mix(in srgb, CanvasText 50%, transparent); border-radius: 8px; background: Field; color: FieldText; }
button { font: inherit; padding: .5rem 1rem; border: 1px solid transparent; border-radius: 8px; background: #2f5bea; color: #fff; cursor: pointer; }
button.plain { background: transparent; border-color: color-mix(in srgb, CanvasText 40%, transparent); color: inherit; }
button.grave { background: transparent; border-color: currentColor; color: #b3261e; color: light-dark(#b3261e, #ff9c94); }
button:hover { filter: brightness(1.1); }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid #7a9bff; outline-offset: 2px; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
form.whole button { width: 100%; margin-top: .25rem; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page, as the reference shows it. */
export const PAGE = {
  types: ['text/html'],
  headers: { 'Content-Security-Policy': 'Nothing comes from elsewhere', 'Referrer-Policy': '`no-referrer`' },
} as const;

/** A small page without scripts and without anything from other origins. */
export const page = (title: string, content: Html, status = 200): Answer<never> => ({
  status,
  body: Buffer.from(
    html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style></head>
<body><main>${content}</main></body>
</html>
`.text,
  ),
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  },
});
