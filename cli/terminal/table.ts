import { cell } from './safe-text.ts';

/** A column: its title, and its value for a row. */
export type Column<Row> = readonly [title: string, show: (row: Row) => unknown];

const GAP = '  ';
/** The indent of a row or cell that continues on the next line. */
const INDENT = '  ';

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mark}|\u200b|\u200d|\ufe0f/u;

const widthOfOne = (character: string): number =>
  NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

/** The number of terminal columns that a text takes. */
export const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + widthOfOne(character), 0);

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Splits a text into the part that fits the width and the rest. */
const split = (text: string, room: number): readonly [string, string] => {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += widthOfOne(character);
    if (used > room) break;
    end += character.length;
  }
  return [text.slice(0, end), text.slice(end)];
};

/** Puts the cells of a row on as few lines as fit. A cell that is wider than a line continues on the next one. */
const fold = (cells: readonly string[], room: number): string => {
  const lines: string[] = [];
  let line: string | undefined;
  for (const cell of cells) {
    const next = line === undefined ? cell : `${line}${GAP}${cell}`;
    if (line === undefined || widthOf(next) <= room) {
      line = next;
    } else {
      lines.push(line);
      line = INDENT + cell;
    }
    while (widthOf(line.trimEnd()) > room) {
      const [head, rest] = split(line, room);
      lines.push(head);
      line = INDENT + rest;
    }
  }
  return [...lines, line ?? ''].map((text) => text.trimEnd()).join('\n');
};

/**
 * Formats rows as lines. The first rows decide the widths, so that a list of any length can be written while it
 * arrives. `room` is the width of the terminal, or undefined without one. A wider row is folded and never cut, since
 * people copy ids from it.
 */
export const makeTable = <Row>(
  columns: readonly Column<Row>[],
  firstRows: readonly Row[],
  room: number | undefined,
) => {
  const cells = (row: Row) => columns.map(([, show]) => cell(show(row)));
  const titles = columns.map(([title]) => title);
  const widths = [titles, ...firstRows.map(cells)].reduce<readonly number[]>(
    (widest, texts) => texts.map((text, place) => Math.max(widest[place] ?? 0, widthOf(text))),
    [],
  );

  const line = (texts: readonly string[]): string => {
    const aligned = texts.map((text, place) => padded(text, widths[place] ?? 0));
    return room === undefined ? aligned.join(GAP).trimEnd() : fold(aligned, room);
  };

  return { head: line(titles), row: (row: Row) => line(cells(row)) };
};
