// C0 and C1 controls, line and paragraph separators, and what turns the direction of writing: on a terminal they could
// hide or forge what is shown.
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2060\ufeff\u2028-\u202e\u2066-\u2069]/g;

/** The text without anything that a terminal would obey; line ends stay where several lines are meant. */
export const printable = (text: string, lines = false): string =>
  text.replace(UNPRINTABLE, (found) => (lines && found === '\n' ? found : '\ufffd'));

/** JSON, in which what a terminal would obey stands escaped: the value is the same. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, (found) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** What a spreadsheet would take for a formula when the table is pasted into it. */
const FORMULA = /^[=+\-@\t\r]/;

/** A value as a table shows it: nothing that a terminal obeys or a spreadsheet runs. */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(FORMULA.test(text) ? `'${text}` : text);
};
