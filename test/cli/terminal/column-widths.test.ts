import { expect } from 'chai';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { makeTable } from '../../../cli/terminal/column-widths.ts';
import { cell, printable } from '../../../cli/terminal/safe-text.ts';

type Row = readonly [string, unknown];
const columns = [
  ['NAME', ([name]: Row) => name],
  ['VALUE', ([, value]: Row) => value],
] as const;

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '\u001b[31m', '\u009b', '\u202e', 'a'),
  }),
);

describe('A table', () => {
  it('aligns its columns to the widest cell', () => {
    const rows: Row[] = [
      ['a', 1],
      ['long name', null],
    ];
    const table = makeTable<Row>(columns, rows, undefined);
    expect([table.head, ...rows.map(table.row)]).to.deep.equal([
      'NAME       VALUE',
      'a          1',
      'long name  -',
    ]);
  });

  it('fits the width of the terminal for any cells', () => {
    const rows = fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 20, max: 200 }), (cells, width) => {
        const table = makeTable<Row>(columns, cells, width);
        const lines = [table.head, ...cells.map(table.row)].flatMap((row) => row.split('\n'));
        for (const line of lines) expect(stringWidth(line)).to.be.at.most(width);
      }),
    );
  });

  it('counts wide characters as two columns, and combining characters as none', () => {
    const table = makeTable<Row>(columns, [['日本日', 1]], undefined);
    for (const name of ['日', 'ab', 'e\u0301e', '🦊', '🇵🇱'])
      expect(table.row([name, 1])).to.equal(`${name}      1`);
  });

  it('folds rows that do not fit, all at the same column as the head, and keeps all text', () => {
    const id = '0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31';
    const rows: Row[] = [
      [id, 'ada@example.com'],
      [id, 'b'],
    ];
    const table = makeTable<Row>(columns, rows, 40);
    expect([table.head, ...rows.map(table.row)]).to.deep.equal([
      'NAME\n  VALUE',
      `${id}\n  ada@example.com`,
      `${id}\n  b`,
    ]);
    expect(makeTable<Row>(columns, rows, 53).row([id, 'b'])).to.equal(`${id}  b`);
  });

  it('prints cells wider than the terminal whole, over several lines', () => {
    const anyCells = fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 5 });
    const bare = (text: string) => text.replace(/\s/g, '');
    fc.assert(
      fc.property(anyCells, fc.integer({ min: 20, max: 60 }), (rows, width) => {
        const table = makeTable<Row>(columns, rows, width);
        for (const row of rows) expect(bare(table.row(row))).to.equal(bare(cell(row[0]) + cell(row[1])));
      }),
    );
  });

  it('prints all text after a character that is wider than the terminal', () => {
    const text = `a${'\u0903'.repeat(50)}b`;
    expect(makeTable<Row>(columns, [], 20).row([text, 1]).replaceAll(/\s/g, '')).to.equal(`${text}1`);
  });

  it('does not fold without a terminal, also in rows wider than those it was made of', () => {
    const table = makeTable<Row>(columns, [['a', 1]], undefined);
    expect(table.row(['x'.repeat(300), 'y'])).to.equal(`${'x'.repeat(300)}  y`);
  });
});

describe('A cell', () => {
  it('is quoted if a spreadsheet would run it as a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
      expect(cell(text)).to.match(/^'/);
      expect(cell(text).slice(1)).to.equal(printable(text));
    }
    expect(cell(-1)).to.equal('-1');
    expect(cell({ a: '=1' })).to.equal('{"a":"=1"}');
    expect(cell(null)).to.equal('-');
  });
});
