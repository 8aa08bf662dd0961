import type { Fields } from '../../../core/import-lines.ts';

/** The cells of a record (RFC 4180). Undefined if a quotation mark stands where none may. */
export const readCells = (record: string): readonly string[] | undefined => {
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;
  const text = record.replace(/\r$/, '');
  const cells: string[] = [];
  for (;;) {
    const match = cell.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') return cells;
  }
};

/** The cells by the names of their columns; undefined if there are more or fewer. */
export const fieldsOf = (columns: readonly string[], record: string): Fields | undefined => {
  const cells = readCells(record);
  if (cells?.length !== columns.length) return undefined;
  return Object.fromEntries(columns.map((name, place) => [name, cells[place]]));
};
