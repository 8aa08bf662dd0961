/** A parsed template: renders its text with the values of its names. */
export type Template = (
  values: Readonly<Record<string, string>>,
  shown: (value: string, name: string) => string,
) => string;

/** A fault of a template, with its line. */
export interface Fault {
  readonly line: number;
  readonly problem: string;
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'section'; readonly name: string; readonly ifEmpty: boolean; readonly parts: Part[] };

const TAG = /\{\{\s*([#^/]?)\s*([^{}]*?)\s*\}\}/g;

const render = (
  parts: readonly Part[],
  values: Readonly<Record<string, string>>,
  shown: (value: string, name: string) => string,
): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const value = values[part.name] ?? '';
      if (part.kind === 'value') return shown(value, part.name);
      return (value === '') === part.ifEmpty ? render(part.parts, values, shown) : '';
    })
    .join('');

/**
 * Parses a template: `{{name}}`, `{{#name}}…{{/name}}` if the name has a value, `{{^name}}…{{/name}}` if it has none, and
 * nothing else. `shown` are the names whose values appear in the text, not those that only open a section.
 */
export const readTemplate = (
  text: string,
  names: readonly string[],
): {
  readonly template: Template;
  readonly shown: ReadonlySet<string>;
  readonly faults: readonly Fault[];
} => {
  const faults: Fault[] = [];
  const shown = new Set<string>();
  const rootParts: Part[] = [];
  const open: { readonly name: string; readonly line: number; readonly parts: Part[] }[] = [];
  const lineOf = (at: number) => text.slice(0, at).split('\n').length;
  const add = (part: Part) => (open.at(-1)?.parts ?? rootParts).push(part);

  let end = 0;
  for (const { 0: tag, 1: sign = '', 2: name = '', index } of text.matchAll(TAG)) {
    add({ kind: 'text', text: text.slice(end, index) });
    end = index + tag.length;
    const line = lineOf(index);
    if (!names.includes(name))
      faults.push({
        line,
        problem: `{{${sign}${name}}} is no name of a mail: it must be one of ${names.join(', ')}`,
      });
    if (sign === '') {
      shown.add(name);
      add({ kind: 'value', name });
    } else if (sign !== '/') {
      const parts: Part[] = [];
      add({ kind: 'section', name, ifEmpty: sign === '^', parts });
      open.push({ name, line, parts });
    } else if (open.at(-1)?.name === name) open.pop();
    else faults.push({ line, problem: `{{/${name}}} closes no section` });
  }
  add({ kind: 'text', text: text.slice(end) });
  for (const { name, line } of open) faults.push({ line, problem: `{{#${name}}} is not closed` });
  return { template: (values, show) => render(rootParts, values, show), shown, faults };
};
