import { expect } from 'chai';
import fc from 'fast-check';
import { parameterOf, types } from '../../../../adapters/postgresql/engine/statements.ts';

const TEXT = 25;
const stored = (value: string): string => String(parameterOf(value));
const read = (cell: string): unknown => types.getTypeParser(TEXT)(cell);

const PIECES = [
  '\\',
  'u0000',
  'u0001',
  'u0002',
  'ud800',
  'uDC00',
  '0000',
  '\0',
  '\u0001',
  '\u0002',
  '\ud800',
  '\udc00',
  '"',
  'a',
];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('Texts for PostgreSQL', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(stored(text))).to.equal(text);
      }),
    );
  });

  it('hold no NUL, no half of a surrogate pair, and no escape of these', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(stored(text)).not.to.match(/\0|\p{Surrogate}/u);
        expect(stored(JSON.stringify(text))).not.to.match(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/i);
      }),
    );
  });

  it('are stored the same whether they come as they are, in JSON, or in JSON within JSON', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = stored(JSON.stringify(text));
        expect(JSON.parse(once)).to.equal(stored(text));
        expect(JSON.parse(stored(JSON.stringify(JSON.stringify(text))))).to.equal(once);
      }),
    );
  });
});
