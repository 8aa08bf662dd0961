import { expect } from 'chai';
import fc from 'fast-check';
import { parameterOf, types } from '../../../adapters/postgresql/engine/statements.ts';

const TEXT = 25;
const read = types.getTypeParser(TEXT as never) as unknown as (cell: string) => string;
const encode = (text: string): string => String(parameterOf(text));

const PIECES = [
  ...['\\', 'u0000', 'u0001', 'u0002', 'ud800', 'ud83e', 'uD83E', 'uDC00', '0000', '"', 'a'],
  ...['\0', '\u0001', '\u0002', '\ud800', '\udc00'],
];
/** Texts with many JSON escapes. */
const texts = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));
/** An escape of NUL or of half a surrogate pair. */
const ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/i;

describe('Texts in PostgreSQL', () => {
  it('are read as they were written, with any characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(encode(text))).to.equal(text);
      }),
    );
  });

  it('are stored without NUL, half surrogate pairs, and escapes of these', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(encode(text)).not.to.match(/\0|\p{Surrogate}/u);
        expect(encode(JSON.stringify(text))).not.to.match(ESCAPE);
      }),
    );
  });

  it('are stored as JSON without such escapes if they are JSON', () => {
    const json = fc.dictionary(texts, texts).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, (text) => {
        expect(() => JSON.parse(encode(text))).not.to.throw();
        expect(JSON.stringify(JSON.parse(encode(text)))).not.to.match(ESCAPE);
      }),
    );
  });

  it('are encoded alike as plain text, in JSON, and in JSON within JSON', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = encode(JSON.stringify(text));
        expect(JSON.parse(once)).to.equal(encode(text));
        expect(JSON.parse(encode(JSON.stringify(JSON.stringify(text))))).to.equal(once);
      }),
    );
  });

  it('keep the order of their bytes', () => {
    const utf8 = (text: string) => Buffer.from(text);
    const plain = fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', 'a') });
    const orderOf = (first: string, second: string) => Math.sign(utf8(first).compare(utf8(second)));
    fc.assert(
      fc.property(plain, plain, (first, second) => {
        expect(orderOf(encode(first), encode(second))).to.equal(orderOf(first, second));
      }),
    );
  });
});
