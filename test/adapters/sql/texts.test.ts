import { expect } from 'chai';
import fc from 'fast-check';
import { parameterOf, types } from '../../../adapters/postgresql/engine/statements.ts';

const TEXT = 25;
const read = types.getTypeParser(TEXT as never) as unknown as (cell: string) => string;
const written = (text: string): string => String(parameterOf(text));

const PIECES = [
  ...['\\', 'u0000', 'u0001', 'u0002', 'ud800', 'ud83e', 'uD83E', 'uDC00', '0000', '"', 'a'],
  ...['\0', '\u0001', '\u0002', '\ud800', '\udc00'],
];
/** Texts among which escapes of JSON are many. */
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
  it('come back as they were written, whatever is in them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(written(text))).to.equal(text);
      }),
    );
  });

  it('hold no NUL, no half of a surrogate pair, and no escape of these', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(written(text)).not.to.match(/\0|\p{Surrogate}/u);
        expect(written(JSON.stringify(text))).not.to.match(ESCAPE);
      }),
    );
  });

  it('are JSON that its functions take, where they are JSON', () => {
    const json = fc.dictionary(texts, texts).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, (text) => {
        expect(() => JSON.parse(written(text))).not.to.throw();
        expect(JSON.stringify(JSON.parse(written(text)))).not.to.match(ESCAPE);
      }),
    );
  });

  it('are written the same whether they come as they are, in JSON, or in JSON within JSON', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = written(JSON.stringify(text));
        expect(JSON.parse(once)).to.equal(written(text));
        expect(JSON.parse(written(JSON.stringify(JSON.stringify(text))))).to.equal(once);
      }),
    );
  });

  it('are in the order of their bytes', () => {
    const utf8 = (text: string) => Buffer.from(text);
    const plain = fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', 'a') });
    const orderOf = (first: string, second: string) => Math.sign(utf8(first).compare(utf8(second)));
    fc.assert(
      fc.property(plain, plain, (first, second) => {
        expect(orderOf(written(first), written(second))).to.equal(orderOf(first, second));
      }),
    );
  });
});
