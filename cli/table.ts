import { cell } from './safe-text.ts';

/** A column: its title, and what it shows of a row. */
export type Column<Row> = readonly [title: string, show: (row: Row) => unknown];

const GAP = '  ';
const NARROWEST = 4;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mark}|\u200b|\u200d|\ufe0f/u;

const widthOfOne = (character: string): number =>
  NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

/** The columns of a terminal that a text takes. */
export const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + widthOfOne(character), 0);

/** The text in exactly `width` columns, its end cut off where need be. */
const fitted = (text: string, width: number): string => {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let [shown, used] = ['', 0];
  for (const character of text) {
    if (used + widthOfOne(character) > width - 1) break;
    shown += character;
    used += widthOfOne(character);
  }
  return `${shown}…${' '.repeat(width - used - 1)}`;
};

/** Widths that fit into `room`: the widest column gives way first. */
const shrink = (widths: readonly number[], room: number): readonly number[] => {
  const fitting = [...widths];
  const total = () => fitting.reduce((sum, width) => sum + width, GAP.length * (fitting.length - 1));
  while (total() > room) {
    const widest = Math.max(...fitting);
    if (widest <= NARROWEST) break;
    fitting[fitting.indexOf(widest)] = widest - 1;
  }
  return fitting;
};

/**
 * Makes lines of rows. The first rows decide about the widths, so that a list of any length can be written as it
 * comes; `room` is the terminal's width, undefined where nothing need be cut off.
 */
export const makeTable = <Row>(
  columns: readonly Column<Row>[],
  first: readonly Row[],
  room: number | undefined,
) => {
  const cells = (row: Row) => columns.map(([, show]) => cell(show(row)));
  const titles = columns.map(([title]) => title);
  const widest = [titles, ...first.map(cells)].reduce<readonly number[]>(
    (widths, texts) => texts.map((text, place) => Math.max(widths[place] ?? 0, widthOf(text))),
    [],
  );
  const widths = room === undefined ? widest : shrink(widest, room);

  const line = (texts: readonly string[]): string =>
    texts
      .map((text, place) => {
        const width = widths[place] ?? 0;
        return room === undefined && widthOf(text) > width ? text : fitted(text, width);
      })
      .join(GAP)
      .trimEnd();

  return { head: line(titles), row: (row: Row) => line(cells(row)) };
};
