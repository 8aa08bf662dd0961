import { invalidFile } from './errors.ts';

/** A code point is one or two units of `length`, so the points are counted only where these bounds leave doubt. */
const isLongerThan = (text: string, longest: number): boolean =>
  text.length > longest && (text.length > 2 * longest || [...text].length > longest);

/**
 * Throws `invalid` (`invalid_request`) unless the text has 1 to `longest` code points. A lone surrogate is refused: as UTF-8
 * all of them become the same character, U+FFFD.
 */
export const acceptText = (name: string, text: string, longest: number): void => {
  if (text === '' || isLongerThan(text, longest))
    throw invalidFile(`'${name}' must have 1 to ${longest} characters.`);
  if (!text.isWellFormed()) throw invalidFile(`'${name}' must be text without lone surrogates.`);
};
