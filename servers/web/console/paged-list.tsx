import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { path, search } from '../base/router.ts';
import { LinkButton } from '../kit/button.tsx';
import { Load } from '../kit/load.tsx';
import type { Outcome } from '../kit/problem.ts';
import { type Column, Table, type TableProps } from '../kit/table.tsx';
import { utc } from '../kit/time.tsx';
import { Empty } from './empty-list.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { Paged } from './response-types.ts';
import { c } from './text.ts';

/** Leads on from a search that stopped before the end; `searchedTo` says where. */
const ContinueSearch = ({ cursor, searchedTo }: Paged) => {
  const { frame } = c();
  if (!searchedTo || !cursor) return null;
  return (
    <Empty to={withQuery({ cursor })} linkText={frame.further}>
      {/* A list by time was searched to a time, a list by email to an email, which has no capital letter. */}
      {frame.searchedTo(/^\d{4}-\d\d-\d\dT/.test(searchedTo) ? `${utc(searchedTo)} UTC` : searchedTo)}
    </Empty>
  );
};

/** The address of the previous page, by the address of a page: cursors only lead forwards. The history keeps it over a reload. */
const previousPages = new Map<string, string>(history.state?.before);

/** Whether the address is of the first page. `withQuery({})` leads there, since it keeps the filters and drops the cursor. */
const isFirstPage = () => parameter('cursor') === '';

/** Turns the pages of a list, each of which has an address of its own. */
const Pager = ({ cursor, searchedTo }: Paged) => {
  const { frame } = c();
  const current = path.value + search.value;
  const isFirst = isFirstPage();
  const next = cursor && !searchedTo ? withQuery({ cursor }) : undefined;
  // While a page loads, `cursor` still belongs to the page before it: then `next` is the current address.
  if (next !== undefined && next !== current) previousPages.set(next, current);
  useEffect(() => history.replaceState({ ...history.state, before: [...previousPages] }, ''), [current]);
  if (isFirst && next === undefined) return null;
  return (
    <nav class="row pager" aria-label={frame.pages}>
      {isFirst ? null : (
        <LinkButton kind="plain" to={previousPages.get(current) ?? withQuery({})}>
          {frame.previous}
        </LinkButton>
      )}
      {next === undefined ? null : (
        <LinkButton kind="plain" to={next}>
          {frame.next}
        </LinkButton>
      )}
      <span class="muted small">{frame.aPage}</span>
    </nav>
  );
};

interface ListProps<T extends Paged, Row> extends Pick<TableProps<Row>, 'label' | 'keyOf'> {
  readonly request: () => Promise<Outcome<T>>;
  readonly rowsOf: (page: T) => readonly Row[];
  readonly columnsOf: (page: T) => readonly Column<Row>[];
  readonly empty: ComponentChildren;
  /** What stands below the rows. */
  readonly children?: (reload: () => Promise<void>) => ComponentChildren;
}

/** A page of a list whose filters and cursor stand in the address. */
export const List = <T extends Paged, Row>({
  request,
  rowsOf,
  columnsOf,
  empty,
  children,
  ...table
}: ListProps<T, Row>) => (
  <Load requestKey={path.value + search.value} request={request}>
    {(page, reload, isOld) => {
      const rows = rowsOf(page);
      // A later page may be empty where the first one is not.
      const noRows = isFirstPage() ? empty : <Empty>{c().frame.pageEmpty}</Empty>;
      // A search that stopped early may have rows further on.
      const insteadOfRows = page.searchedTo ? null : noRows;
      return (
        <div class="stack list" aria-busy={isOld}>
          {rows.length === 0 ? (
            insteadOfRows
          ) : (
            <>
              <Table {...table} rows={rows} columns={columnsOf(page)} />
              {children?.(reload)}
            </>
          )}
          <ContinueSearch {...page} />
          <Pager {...page} />
        </div>
      );
    }}
  </Load>
);
