import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** A number, which stands at the end of its column. */
  readonly isNumber?: boolean;
  /** An act, which needs no title on a card. */
  readonly isAct?: boolean;
}

interface TableProps<Row> {
  /** What the table shows, for those who do not see what stands around it. */
  readonly label: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

const wide = matchMedia('(min-width: 720px)');
const isWide = signal(wide.matches);
wide.addEventListener('change', () => {
  isWide.value = wide.matches;
});

const classOf = <Row,>({ isNumber }: Column<Row>) => (isNumber ? 'number' : undefined);

const Wide = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <table class="table">
    <caption class="visually-hidden">{label}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.title} scope="col" class={classOf(column)}>
            {column.isAct ? <span class="visually-hidden">{column.title}</span> : column.title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map((column, index) =>
            index === 0 ? (
              <th key={column.title} scope="row">
                {column.cell(row)}
              </th>
            ) : (
              <td key={column.title} class={classOf(column)}>
                {column.cell(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

const Cards = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => {
  const [first, ...rest] = columns;
  return (
    <ul class="cards" aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)}>
          <div class="first">{first?.cell(row)}</div>
          <dl>
            {rest
              .filter(({ isAct }) => !isAct)
              .map(({ title, cell }) => (
                <Fragment key={title}>
                  <dt>{title}</dt>
                  <dd>{cell(row)}</dd>
                </Fragment>
              ))}
          </dl>
          {rest.map(({ title, cell, isAct }) => (isAct ? <div key={title}>{cell(row)}</div> : null))}
        </li>
      ))}
    </ul>
  );
};

/** Rows under their columns; on narrow screens a list of cards. */
export const Table = <Row,>(props: TableProps<Row>) =>
  isWide.value ? <Wide {...props} /> : <Cards {...props} />;
