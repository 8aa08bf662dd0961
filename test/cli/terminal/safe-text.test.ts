import { expect } from 'chai';
import { cell, printable, safeJson } from '../../../cli/terminal/safe-text.ts';

/** First and last of each range that a terminal obeys or does not show. */
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
  Array.from({ length: last - first + 1 }, (_, place) => String.fromCharCode(first + place));

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('Text for a terminal', () => {
  for (const [name, range] of Object.entries(UNSAFE)) {
    it(`has a replacement in place of ${name}, in messages and in cells`, () => {
      for (const character of charactersOf(range)) {
        expect(printable(`a${character}b`), escaped(character)).to.equal('a\ufffdb');
        expect(cell(`a${character}b`), escaped(character)).to.equal('a\ufffdb');
      }
    });

    it(`has ${name} escaped in JSON, which keeps its value`, () => {
      for (const character of charactersOf(range)) {
        const value = { [`name${character}`]: [`a${character}b`] };
        const text = safeJson(value);
        expect(text.includes(character), escaped(character)).to.equal(false);
        expect(JSON.parse(text), escaped(character)).to.deep.equal(value);
      }
    });
  }

  it('keeps what stands beside those ranges', () => {
    const beside = ' ~\u00a0\u061b\u061d\u200a\u2010\u2027\u202f\u205f\u2061\u2065\u206a\ufefe\uff00Zoë🦊';
    expect(printable(beside)).to.equal(beside);
    expect(cell(beside)).to.equal(beside);
    expect(safeJson(beside)).to.equal(JSON.stringify(beside));
  });

  it('keeps line ends where several lines are meant, and nothing else', () => {
    expect(printable('a\nb\r\u2028c', true)).to.equal('a\nb\ufffd\ufffdc');
    expect(safeJson({ a: 1, b: '\u2028' }, 2)).to.equal('{\n  "a": 1,\n  "b": "\\u2028"\n}');
  });
});
