import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** A number, which stands at the end of its column. */
  readonly isNumber?: boolean;
  /** An action, which needs no title on a card. */
  readonly isAction?: boolean;
}

export interface TableProps<Row> {
  /** The table's caption for screen readers. */
  readonly label: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** The width of the window, in CSS pixels, from which rows are shown as a table, where it fits. */
const WIDE = 720;

const windowWidth = signal(innerWidth);
addEventListener('resize', () => {
  windowWidth.value = innerWidth;
});

/** Stores the width of the window at which the table does not fit, measured before the paint. */
const useRoom = (tooNarrowAt: Signal<number>) => {
  const room = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = room;
    const table = current?.firstElementChild;
    if (!current || !(table instanceof HTMLElement)) return undefined;
    const observer = new ResizeObserver(() => {
      if (table.offsetWidth > current.clientWidth) tooNarrowAt.value = windowWidth.peek();
    });
    // The available width grows with the window, the table with its rows.
    observer.observe(current);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return room;
};

const classOf = <Row,>({ isNumber }: Column<Row>) => (isNumber ? 'number' : undefined);

type WideProps<Row> = TableProps<Row> & { readonly tooNarrowAt: Signal<number> };

const Wide = <Row,>({ label, columns, rows, keyOf, tooNarrowAt }: WideProps<Row>) => (
  <div class="room" ref={useRoom(tooNarrowAt)}>
    <table class="table">
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.isAction ? <span class="visually-hidden">{column.title}</span> : column.title}
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
  </div>
);

const Cards = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => {
  const [nameColumn, ...otherColumns] = columns;
  return (
    <ul class="cards" aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)}>
          <div class="first">{nameColumn?.cell(row)}</div>
          <dl>
            {otherColumns
              .filter(({ isAction }) => !isAction)
              .map(({ title, cell }) => (
                <Fragment key={title}>
                  <dt>{title}</dt>
                  <dd>{cell(row)}</dd>
                </Fragment>
              ))}
          </dl>
          {otherColumns.map(({ title, cell, isAction }) =>
            isAction ? <div key={title}>{cell(row)}</div> : null,
          )}
        </li>
      ))}
    </ul>
  );
};

/** Rows under their columns; a list of cards where the window is too narrow for the table. */
export const Table = <Row,>(props: TableProps<Row>) => {
  /** The width of the window at which the table did not fit; 0 before that happens. */
  const tooNarrowAt = useSignal(0);
  const isWide = windowWidth.value >= WIDE && windowWidth.value > tooNarrowAt.value;
  return isWide ? <Wide {...props} tooNarrowAt={tooNarrowAt} /> : <Cards {...props} />;
};
