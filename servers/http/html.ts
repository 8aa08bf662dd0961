import { createHash } from 'node:crypto';
import type { Answer } from './route.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is complete as it stands. */
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

/** Writes HTML; what is put in is escaped unless it is `Html` itself. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html => new Html(parts.reduce((text, part, place) => text + insert(values[place - 1] ?? '') + part));

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: Canvas; color: CanvasText; }
main { width: min(26rem, calc(100vw - 2rem)); padding: 2rem 0; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
section { border: 1px solid color-mix(in srgb, CanvasText 20%, transparent); border-radius: 12px; padding: 1.25rem; margin: 0 0 1rem; }
p { margin: 0 0 .75rem; }
.price { font-size: 1.6rem; font-weight: 600; }
.note { opacity: .7; font-size: .875rem; }
label { display: block; font-size: .875rem; margin: 0 0 .75rem; }
input { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem .75rem; margin-top: .25rem;
  border: 1px solid color-mix(in srgb, CanvasText 30%, transparent); border-radius: 8px; background: Field; color: FieldText; }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 8px; background: #2f5bea; color: #fff; cursor: pointer; }
button.plain { background: color-mix(in srgb, CanvasText 12%, transparent); color: inherit; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid #7a9bff; outline-offset: 2px; }
form { display: inline-block; margin: 0 .5rem .5rem 0; }
form.whole { display: block; margin: 0; }
form.whole button { width: 100%; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A small page without script, in one style; nothing comes from elsewhere. */
export const page = (title: string, content: Html, status = 200): Answer => ({
  status,
  body: Buffer.from(
    html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${new Html(STYLE)}</style></head>
<body><main>${content}</main></body>
</html>
`.text,
  ),
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  },
});
