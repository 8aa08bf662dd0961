import { invalidFile } from './errors.ts';

/** A code point takes one or two units of `length`, so the code points are counted only where `length` does not decide. */
const isLongerThan = (text: string, longest: number): boolean =>
  text.length > longest && (text.length > 2 * longest || [...text].length > longest);

/**
 * Throws `invalid` (`invalid_request`) unless the text has 1 to `longest` code points. Lone surrogates are refused: in UTF-8
 * each of them becomes U+FFFD, so different texts would be stored as one.
 */
export const acceptText = (name: string, text: string, longest: number): void => {
  if (text === '' || isLongerThan(text, longest))
    throw invalidFile(`'${name}' must have 1 to ${longest} characters.`);
  if (!text.isWellFormed()) throw invalidFile(`'${name}' must be text without lone surrogates.`);
};
