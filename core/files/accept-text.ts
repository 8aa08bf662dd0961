import { invalidFile } from './errors.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Code points, as far as it takes to tell whether there are more than `longest`. */
const isLongerThan = (text: string, longest: number): boolean =>
  text.length > longest && (text.length > 2 * longest || [...text].length > longest);

/**
 * Throws `invalid` (`invalid_request`) unless the text has 1 to `longest` code points. Half a surrogate pair is none:
 * written as UTF-8, one could not be told from another.
 */
export const acceptText = (name: string, text: string, longest: number): void => {
  if (text === '' || isLongerThan(text, longest) || LONE_SURROGATE.test(text)) {
    throw invalidFile(`'${name}' must have 1 to ${longest} characters.`);
  }
};
