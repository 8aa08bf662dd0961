/** The optional white space of HTTP: space and tab alone (RFC 9110 section 5.6.3). */
const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t';

/**
 * Removes spaces and tabs from both ends of a header's value, or of a part of it. `trim()` would remove more, such as the
 * byte 0xA0, and so make the names of two different cookies equal.
 */
export const withoutSpace = (text: string): string => {
  let begin = 0;
  let end = text.length;
  while (isSpace(text[begin])) begin += 1;
  while (end > begin && isSpace(text[end - 1])) end -= 1;
  return text.slice(begin, end);
};
