import type { Row, Unit } from './verdict.ts';

const figure = (value: number | null, unit: Unit): string => {
  if (value === null) return '-';
  if (unit === 'calls') return `${value} ${unit}`;
  return unit === '/s' && value >= 100 ? `${Math.round(value)}${unit}` : `${value.toFixed(1)} ${unit}`;
};

const HEADINGS = ['Row', 'Product', 'Reference', 'Ratio', 'Goal', 'Verdict'];

const cellsOf = ({
  row,
  unit,
  product,
  reference,
  ratio,
  goal,
  met,
  measurable = true,
}: Row): readonly string[] => [
  row,
  figure(product, unit),
  figure(reference, unit),
  ratio === null ? '-' : ratio.toFixed(2),
  goal,
  measurable ? (met ? 'met' : 'MISSED') : 'not measurable',
];

/** The rows as a text table, with the notes below it. */
export const tableOf = (rows: readonly Row[]): string => {
  const lines = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const table = lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = rows.flatMap(({ row, note }) => (note === undefined ? [] : [`${row}: ${note}`]));
  return [...table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
};

/** A single row as text, printed at once during a long run, which may be interrupted. */
export const lineOf = (row: Row): string => [...cellsOf(row), ...(row.note ? [row.note] : [])].join('  ');
