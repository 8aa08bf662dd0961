import { expect } from 'chai';
import fc from 'fast-check';
import { parameterOf, types } from '../../../adapters/postgresql/engine/statements.ts';

const TEXT = 25;
const read = types.getTypeParser(TEXT as never) as unknown as (cell: string) => string;
const written = (text: string): string => String(parameterOf(text));

/** Texts among which escapes of JSON are many. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\u0000', '\\u0001', '\\u0002', '\\ud83e', '\\uD83E', '\\', '\0', '\x01', '\x02', '"'),
    ),
  )
  .map((parts) => parts.join(''));

describe('Texts in PostgreSQL', () => {
  it('come back as they were written, whatever is in them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(written(text))).to.equal(text);
      }),
    );
  });

  it('hold no character that its texts cannot hold', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(written(text)).not.to.include('\0');
      }),
    );
  });

  it('are JSON that its functions take, where they are JSON', () => {
    const json = fc.dictionary(texts, texts).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, (text) => {
        expect(() => JSON.parse(written(text))).not.to.throw();
        expect(JSON.stringify(JSON.parse(written(text)))).not.to.match(
          /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/,
        );
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
