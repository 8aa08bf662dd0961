import type { ComponentChildren } from 'preact';
import { LinkButton } from '../kit/button.tsx';
import { Table, type TableProps } from '../kit/table.tsx';

interface EmptyProps {
  readonly children: ComponentChildren;
  /** The address of the next step. */
  readonly to?: string;
  readonly linkText?: string;
}

/** Shown instead of rows: a sentence, and a next step. */
export const Empty = ({ children, to, linkText }: EmptyProps) => (
  <div class="empty" role="status">
    <p>{children}</p>
    {to === undefined ? null : (
      <LinkButton to={to} kind="plain">
        {linkText}
      </LinkButton>
    )}
  </div>
);

/** A table, or a sentence where there are no rows. */
export const TableOrEmpty = <Row,>({ empty, ...table }: TableProps<Row> & { readonly empty: string }) =>
  table.rows.length === 0 ? <Empty>{empty}</Empty> : <Table {...table} />;
