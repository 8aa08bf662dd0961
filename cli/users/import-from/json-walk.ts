import { brokenExport, cutOff } from './pieces.ts';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
export const [COMMA, ARRAY_OPEN, OBJECT_OPEN, ARRAY_END, OBJECT_END] = [0x2c, 0x5b, 0x7b, 0x5d, 0x7d];
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const DEEPEST = 1_000;
/** Longer than any key that is looked for. */
const LONGEST_KEY = 64;

/**
 * Walks through a JSON document byte by byte, and knows its strings and brackets alone. Throws `invalid`
 * (`broken_export`) where brackets do not match.
 */
export const makeJsonWalk = () => {
  /** The closing brackets that are still to come. */
  const closing: number[] = [];
  let [inString, isEscaped, hasBegun] = [false, false, false];
  /** The last string of the outermost object, and the one that is the key of the current member. */
  let [text, key]: [number[], string | undefined] = [[], undefined];

  const takeInString = (byte: number) => {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    if (inString && closing.length === 1 && text.length < LONGEST_KEY) text.push(byte);
  };

  const close = (byte: number) => {
    if (closing.pop() !== byte) throw brokenExport('The brackets of the document do not match.');
  };

  return {
    /** Whether the byte is a comma or bracket of the structure. */
    take: (byte: number): boolean => {
      if (inString) {
        takeInString(byte);
        return false;
      }
      if (isBlank(byte)) return false;
      if (hasBegun && closing.length === 0) throw brokenExport('More follows after the end of the document.');
      hasBegun = true;
      if (byte === QUOTE) {
        inString = true;
        if (closing.length === 1) text = [];
      } else if (byte === COLON) {
        if (closing.length === 1) key = Buffer.from(text).toString();
      } else if (byte === ARRAY_OPEN || byte === OBJECT_OPEN) {
        closing.push(byte === ARRAY_OPEN ? ARRAY_END : OBJECT_END);
        if (closing.length > DEEPEST) throw brokenExport('The document is nested too deeply.');
        return true;
      } else if (byte === ARRAY_END || byte === OBJECT_END) {
        close(byte);
        return true;
      } else {
        return byte === COMMA;
      }
      return false;
    },
    /** The number of brackets that are open. */
    depth: () => closing.length,
    /** After an opening bracket: the empty name for the document itself, the key for a member of it; else undefined. */
    name: () =>
      closing.length === 1 ? '' : closing.length === 2 && closing[0] === OBJECT_END ? key : undefined,
    /** Throws `invalid` (`broken_export`) where the document has not ended. */
    end: () => {
      if (inString || closing.length > 0 || !hasBegun) throw cutOff();
    },
  };
};
