import stringWidth from 'string-width';
import { cell } from './safe-text.ts';

export type Column<Row> = readonly [title: string, show: (row: Row) => unknown];

const GAP = '  ';
/** The indent of a row or cell that continues on the next line. */
const INDENT = '  ';

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

const graphemes = new Intl.Segmenter();

/** Splits a text into the part that fits the width and the rest. */
const split = (text: string, room: number): readonly [string, string] => {
  let end = 0;
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    // Takes at least one character behind the indent, even one that is wider than the line: otherwise `fold` never ends.
    if (used > room && end > INDENT.length) break;
    end += segment.length;
  }
  return [text.slice(0, end), text.slice(end)];
};

/** Puts the cells of a row on as few lines as fit. A cell that is wider than a line continues on the next one. */
const fold = (cells: readonly string[], room: number): string => {
  const lines: string[] = [];
  let line: string | undefined;
  for (const text of cells) {
    const longerLine = line === undefined ? text : `${line}${GAP}${text}`;
    if (line === undefined || stringWidth(longerLine) <= room) {
      line = longerLine;
    } else {
      lines.push(line);
      line = INDENT + text;
    }
    while (stringWidth(line.trimEnd()) > room) {
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
  const firstLines = [titles, ...firstRows.map(cells)];
  const widths = titles.map((_, column) =>
    Math.max(...firstLines.map((texts) => stringWidth(texts[column] ?? ''))),
  );

  const line = (texts: readonly string[]): string => {
    const aligned = texts.map((text, column) => padded(text, widths[column] ?? 0));
    return room === undefined ? aligned.join(GAP).trimEnd() : fold(aligned, room);
  };

  return { head: line(titles), row: (row: Row) => line(cells(row)) };
};
