// C0 and C1 controls, line and paragraph separators, characters without width, and marks that change the writing direction:
// on a terminal they could hide or forge text.
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2060\ufeff\u2028-\u202e\u2066-\u2069]/g;

/** Replaces unprintable characters. */
export const printable = (
  text: string,
  { keepsLineEnds = false }: { readonly keepsLineEnds?: boolean } = {},
): string =>
  text.replace(UNPRINTABLE, (character) => (keepsLineEnds && character === '\n' ? character : '\ufffd'));

/** JSON with unprintable characters escaped; the value is the same. Line ends stay: they are the layout of `indent`. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Beginnings of a text that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A value as a table cell: nothing that a terminal obeys or a spreadsheet runs. */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(FORMULA.test(text) ? `'${text}` : text);
};
