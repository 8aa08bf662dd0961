/** Characters. A longer password does not count as predictable: attackers begin with shorter ones, whatever the pattern. */
const LONGEST = 32;

/** A password with fewer different characters is a repetition. */
const FEWEST_DIFFERENT = 4;

/** A repeated block of at most this many characters is as easy to guess as the block. */
const LONGEST_BLOCK = 4;

/** A password whose runs along lines of keys are at least this long on average is predictable. Words have shorter runs. */
const LEAST_AVERAGE_RUN = 4;

/** The shortest listed word that counts before a suffix. */
const SHORTEST_WORD = 4;

/**
 * Three parts, each optional: a sign, a number, and up to three signs. The number has up to three digits, or counts from 1
 * (`1234`, `12345`, `123456`), or is a year. Examples: `1`, `123!`, `_2026`, `!!`.
 */
const SUFFIX = /^[^\p{L}\d\s]?(?:\d{1,3}|12345?6?|(?:19|20)\d\d)?[^\p{L}\d\s]{0,3}$/u;
/** The most characters that `SUFFIX` matches. */
const LONGEST_SUFFIX = 10;

/** The alphabet, the digits round and round, and the rows of English, German and French keyboards. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890123456789',
  "qwertyuiop[] asdfghjkl;' zxcvbnm,./",
  'qwertzuiopü asdfghjklöä yxcvbnm,.-',
  'azertyuiop qsdfghjklm wxcvbn,;:!',
  '!@#$%^&*()_+ !"§$%&/()=?',
];
const reversed = (text: string) => [...text].reverse().join('');
const LINES = ROWS.flatMap((row) => row.split(' ')).flatMap((line) => [line, reversed(line)]);

const isRun = (text: string) => new Set(text).size === 1 || LINES.some((line) => line.includes(text));

/** Counts the runs of a text: repetitions of a character, or neighbours on a line, in either direction. */
const countRuns = (text: string): number => {
  let count = 0;
  let run = '';
  for (const character of text) {
    if (run !== '' && isRun(run + character)) {
      run += character;
    } else {
      count += 1;
      run = character;
    }
  }
  return count;
};

/** The shortest block whose repetition gives the text; the last repetition may be cut off. */
const blockOf = (text: string): string => {
  let length = 1;
  // A text is a repetition of its first `length` characters if the rest, after them, is how the text itself begins.
  while (!text.startsWith(text.slice(length))) length += 1;
  return text.slice(0, length);
};

/** Whether a password, in lower case, is a repeated word or a word with a usual ending. */
export const isVariantOfWord = (
  password: string,
  words: ReadonlySet<string>,
  shortestWord: number,
): boolean => {
  const { length } = password;
  if (length === 0 || [...password].length > LONGEST) return false;
  const block = blockOf(password);
  if (block.length * 2 <= length && words.has(block)) return true;
  for (let cut = length - 1; cut >= shortestWord && length - cut <= LONGEST_SUFFIX; cut -= 1) {
    if (SUFFIX.test(password.slice(cut)) && words.has(password.slice(0, cut))) return true;
  }
  return false;
};

/**
 * Whether a password, in lower case, is predictable: a few characters or a short block repeated, a run along the alphabet or
 * a keyboard, or a listed word, repeated or with a usual ending. See decision 0009.
 */
export const isPredictable = (password: string, listed: ReadonlySet<string>): boolean => {
  const { length } = password;
  if (length === 0 || [...password].length > LONGEST) return false;
  if (new Set(password).size < FEWEST_DIFFERENT || countRuns(password) * LEAST_AVERAGE_RUN <= length)
    return true;
  const block = blockOf(password);
  const isShortBlock = block.length <= LONGEST_BLOCK && block.length * 2 <= length;
  return isShortBlock || isVariantOfWord(password, listed, SHORTEST_WORD);
};
