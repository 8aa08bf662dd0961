import { expect } from 'chai';
import { acceptReason } from '../../../../core/accounts/admin/admin-action.ts';

/** What changes the direction of the text after it. */
const DIRECTIONS = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

const UNFIT: Readonly<Record<string, string>> = {
  nothing: '',
  'one blank': ' ',
  'a byte order mark': '\ufeff',
  'invisible characters': '\u200b\u2060',
  'a NUL': 'spam\u0000',
  'an order for a terminal': '\u001b[2Jspam',
  'a control character of Latin-1': 'spam\u009b1m',
  ...Object.fromEntries(
    DIRECTIONS.map((control) => [
      `the direction U+${control.charCodeAt(0).toString(16)}`,
      `spam${control}gnissim`,
    ]),
  ),
  '501 characters': 'x'.repeat(501),
  '501 characters of two code units': '😀'.repeat(501),
};

const FIT = ['zażółć gęślą jaźń', 'на прохання', '👩‍👩‍👧', 'one\n\ttwo', 'עברית', '😀'.repeat(500)];

describe('The reason of an act', () => {
  for (const [name, reason] of Object.entries(UNFIT))
    it(`is not ${name}`, () => {
      expect(() => acceptReason(reason))
        .to.throw()
        .with.property('code', 'invalid_reason');
    });

  it('is kept as it was written, in any language and on several lines, without blanks around it', () => {
    expect(FIT.map((reason) => acceptReason(` ${reason}\n`))).to.deep.equal(FIT);
  });
});
