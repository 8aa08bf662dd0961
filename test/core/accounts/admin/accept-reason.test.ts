import { expect } from 'chai';
import { acceptReason } from '../../../../core/accounts/admin/admin-action.ts';

/** Characters that change the direction of the text after them. */
const DIRECTION_CONTROLS = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

const REFUSED: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a single space': ' ',
  'a byte order mark': '\ufeff',
  'invisible characters': '\u200b\u2060',
  'a NUL': 'spam\u0000',
  'a terminal escape sequence': '\u001b[2Jspam',
  'a control character of Latin-1': 'spam\u009b1m',
  ...Object.fromEntries(
    DIRECTION_CONTROLS.map((control) => [
      `the direction control U+${control.charCodeAt(0).toString(16)}`,
      `spam${control}gnissim`,
    ]),
  ),
  '501 characters': 'x'.repeat(501),
  '501 characters of two code units': '😀'.repeat(501),
};

const ACCEPTED = ['zażółć gęślą jaźń', 'на прохання', '👩‍👩‍👧', 'one\n\ttwo', 'עברית', '😀'.repeat(500)];

describe('acceptReason', () => {
  for (const [name, reason] of Object.entries(REFUSED))
    it(`refuses ${name}`, () => {
      expect(() => acceptReason(reason))
        .to.throw()
        .with.property('code', 'invalid_reason');
    });

  it('keeps a reason in any language and on several lines, and trims white space around it', () => {
    expect(ACCEPTED.map((reason) => acceptReason(` ${reason}\n`))).to.deep.equal(ACCEPTED);
  });
});
