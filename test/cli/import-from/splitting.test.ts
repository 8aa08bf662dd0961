import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_RECORD_BYTES, type Piece } from '../../../cli/import-from/collect-record-bytes.ts';
import { fieldsOf, readCells } from '../../../cli/import-from/read-records.ts';
import { splitElements } from '../../../cli/import-from/split-json.ts';
import { splitRows } from '../../../cli/import-from/split-rows.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

/** Yields the text's bytes in chunks of this size, as a file stream does. */
async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

const collect = async <T extends Piece>(pieces: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};

const size = fc.integer({ min: 1, max: 40 });
const ROUNDS = { numRuns: 200 };

describe('The elements of a JSON document', () => {
  const elements = (text: string, names: readonly string[], by = 7) =>
    collect(splitElements(chunksOf(text, by), names));

  it('are the values of the named arrays, for any values, white space and chunks', async () => {
    const values = fc.array(fc.jsonValue());
    const document = fc.record({ realm: fc.jsonValue(), users: values, other: values, account: values });
    const blanks = fc.constantFrom(undefined, 1, '\t');
    await fc.assert(
      fc.asyncProperty(document, blanks, size, async (value, indent, by) => {
        const text = JSON.stringify(value, null, indent);
        const pieces = await elements(text, ['users', 'account'], by);
        for (const name of ['users', 'account'] as const) {
          const inArray = pieces.filter(({ array }) => array === name);
          expect(inArray.map((piece) => JSON.parse(piece.text ?? ''))).to.deep.equal(JSON.parse(text)[name]);
        }
        const bytes = Buffer.from(text);
        for (const { offset, length, text: pieceText } of pieces)
          expect(bytes.toString('utf8', offset, offset + length)).to.equal(pieceText);
      }),
      ROUNDS,
    );
  });

  it('are the values of a document that is an array', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), size, async (values, by) => {
        const pieces = await elements(JSON.stringify(values), [], by);
        expect(pieces.map(({ text }) => JSON.parse(text ?? ''))).to.deep.equal(
          JSON.parse(JSON.stringify(values)),
        );
      }),
      ROUNDS,
    );
  });

  it('are not taken from arrays deeper in the document', async () => {
    const pieces = await elements('{"a":{"users":[1]},"b":[{"users":[2]}],"users":[3],"users2":[4]}', [
      'users',
    ]);
    expect(pieces.map(({ text }) => text)).to.deep.equal(['3']);
  });

  it('are split correctly around an element that is not valid JSON', async () => {
    const pieces = await elements('{"users":[{"a":1}, {oops}, , {"a":"]"}]}', ['users']);
    expect(pieces.map(({ text }) => text?.trim())).to.deep.equal(['{"a":1}', '{oops}', '', '{"a":"]"}']);
  });

  it('have no text if they are too long or not UTF-8, and the next element is whole', async () => {
    const long = JSON.stringify(['x'.repeat(MOST_RECORD_BYTES), 'short']);
    const pieces = await elements(long, [], 65_536);
    expect(pieces.map(({ text }) => text)).to.deep.equal([undefined, '"short"']);
    const broken = async function* () {
      yield Buffer.concat([Buffer.from('["'), Buffer.from([0xff]), Buffer.from('","b"]')]);
    };
    expect((await collect(splitElements(broken(), []))).map(({ text }) => text)).to.deep.equal([
      undefined,
      '"b"',
    ]);
  });

  it('have no text if they are nested more deeply than the maximal length of a record', async () => {
    const deep = `${'['.repeat(MOST_RECORD_BYTES)}${']'.repeat(MOST_RECORD_BYTES)}`;
    const pieces = await elements(`[${deep},"b"]`, [], 65_536);
    expect(pieces.map(({ text }) => text)).to.deep.equal([undefined, '"b"']);
  });

  const refused: readonly (readonly [string, string])[] = [
    ['is cut off', '{"users":[{"a":1},'],
    ['is cut off in a string', '["abc'],
    ['is empty', '  '],
    ['has brackets that do not match', '{"users":[{"a":1]}}'],
    ['goes on after its end', '[1] [2]'],
    ['is nested too deeply', '['.repeat(2 * MOST_RECORD_BYTES + 1)],
  ];
  for (const [title, text] of refused) {
    it(`are refused if the document ${title}`, async () => {
      const error = await rejectionOf(() => elements(text, ['users']));
      expect(error).to.deep.include({ kind: 'invalid', code: 'broken_export' });
    });
  }

  it('are returned or refused with `broken_export` for any input', async () => {
    const piece = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '"users"', ' '),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), size, async (pieces, by) => {
        const outcome = await elements(pieces.join(''), ['users'], by).catch((error: unknown) => error);
        if (!Array.isArray(outcome)) expect(outcome).to.deep.include({ code: 'broken_export' });
      }),
      ROUNDS,
    );
  });
});

describe('The records of a file of lines or CSV', () => {
  const lines = (text: string, isCsv: boolean, by = 5) => collect(splitRows(chunksOf(text, by), { isCsv }));

  it('are the lines, with or without a line end at the end of the file', async () => {
    for (const text of ['a\nbb\n\nc', 'a\nbb\n\nc\n'])
      expect((await lines(text, false)).map((piece) => piece.text)).to.deep.equal(['a', 'bb', '', 'c']);
    expect(await lines('', false)).to.deep.equal([]);
  });

  it('have the offset and length of their text', async () => {
    const text = 'ą\nbb\nccc';
    for (const { offset, length, text: pieceText } of await lines(text, false))
      expect(Buffer.from(text).toString('utf8', offset, offset + length)).to.equal(pieceText);
  });

  it('are the rows of a table with any cells', async () => {
    const cells = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), {
      minLength: 1,
    });
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(cells, size, fc.constantFrom('\n', '\r\n'), async (table, by, end) => {
        const text = table.map((row) => row.map(quote).join(',') + end).join('');
        const pieces = await lines(text, true, by);
        expect(pieces.map((piece) => readCells(piece.text ?? ''))).to.deep.equal(table);
      }),
      ROUNDS,
    );
  });

  it('are refused if a quotation mark is missing at the end', async () => {
    const error = await rejectionOf(() => lines('a,b\n"1,2\n3,4\n', true));
    expect(error).to.deep.include({ code: 'broken_export' });
  });

  it('have one cell for each column, or no fields', () => {
    const columns = ['id', 'email'];
    expect(fieldsOf(columns, '7,"a ""b"",\nc"\r')).to.deep.equal({ id: '7', email: 'a "b",\nc' });
    for (const record of ['7', '7,8,9', '7,"8"9', '7,"8', 'a"b,c']) {
      expect(fieldsOf(columns, record), record).to.equal(undefined);
    }
  });
});
