const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is HTML already, so that `html` does not escape it. */
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

/** A tag for template literals of HTML. Values are escaped unless they are `Html` themselves. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html =>
  // Each part precedes the value of its index. The last part has none.
  new Html(parts.map((part, index) => part + insert(values[index] ?? '')).join(''));

export const NOTHING = new Html('');
