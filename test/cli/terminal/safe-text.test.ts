import { expect } from 'chai';
import { cell, printable, safeJson } from '../../../cli/terminal/safe-text.ts';

/** The first and the last character of each range that a terminal interprets or does not show. */
const UNSAFE: Readonly<Record<string, readonly [first: number, last: number]>> = {
  'C0 controls': [0x00, 0x1f],
  'delete and C1 controls': [0x7f, 0x9f],
  'the Arabic letter mark': [0x61c, 0x61c],
  'zero width characters, and marks of direction': [0x200b, 0x200f],
  'line and paragraph separators': [0x2028, 0x2029],
  'embeddings and overrides of direction': [0x202a, 0x202e],
  'the word joiner': [0x2060, 0x2060],
  'isolates of direction': [0x2066, 0x2069],
  'the byte order mark': [0xfeff, 0xfeff],
};

const charactersOf = ([first, last]: readonly [number, number]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('Text for a terminal', () => {
  for (const [name, range] of Object.entries(UNSAFE)) {
    it(`has a replacement for ${name} in messages and cells`, () => {
      for (const character of charactersOf(range)) {
        expect(printable(`a${character}b`), escapeOf(character)).to.equal('a\ufffdb');
        expect(cell(`a${character}b`), escapeOf(character)).to.equal('a\ufffdb');
      }
    });

    it(`has ${name} escaped in JSON, with the same value when parsed`, () => {
      for (const character of charactersOf(range)) {
        const value = { [`name${character}`]: [`a${character}b`] };
        const text = safeJson(value);
        expect(text.includes(character), escapeOf(character)).to.equal(false);
        expect(JSON.parse(text), escapeOf(character)).to.deep.equal(value);
      }
    });
  }

  it('keeps the characters next to those ranges', () => {
    const nearby = ' ~\u00a0\u061b\u061d\u200a\u2010\u2027\u202f\u205f\u2061\u2065\u206a\ufefe\uff00Zoë🦊';
    expect(printable(nearby)).to.equal(nearby);
    expect(cell(nearby)).to.equal(nearby);
    expect(safeJson(nearby)).to.equal(JSON.stringify(nearby));
  });

  it('keeps only line ends as control characters if several lines are allowed', () => {
    expect(printable('a\nb\r\u2028c', { keepsLineEnds: true })).to.equal('a\nb\ufffd\ufffdc');
    expect(safeJson({ a: 1, b: '\u2028' }, 2)).to.equal('{\n  "a": 1,\n  "b": "\\u2028"\n}');
  });
});
