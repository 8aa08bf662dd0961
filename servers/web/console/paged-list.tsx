import type { ComponentChildren } from 'preact';
import { path, search } from '../base/router.ts';
import { Load } from '../kit/load.tsx';
import { Pager } from '../kit/pager.tsx';
import type { Outcome } from '../kit/problem.ts';
import { utc } from '../kit/time.tsx';
import { Empty } from './empty-list.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { Paged } from './response-types.ts';
import { c } from './text.ts';

interface ListProps<T extends Paged> {
  readonly request: (cursor: string) => Promise<Outcome<T>>;
  readonly isEmpty: (page: T) => boolean;
  readonly empty: ComponentChildren;
  readonly children: (page: T, reload: () => Promise<void>) => ComponentChildren;
}

const ContinueSearch = ({ page }: { readonly page: Paged }) => {
  const { frame } = c();
  if (!page.searchedTo || !page.cursor) return null;
  // Lists by email have no time to show.
  const searchedTo = /^\d{4}-/.test(page.searchedTo) ? utc(page.searchedTo) : page.searchedTo;
  return (
    <Empty to={withQuery({ cursor: page.cursor })} linkText={frame.further}>
      {frame.searchedTo(searchedTo)}
    </Empty>
  );
};

/** A page of a list whose filters and place stand in the address. */
export const List = <T extends Paged>({ request, isEmpty, empty, children }: ListProps<T>) => {
  const { frame } = c();
  const cursor = parameter('cursor');
  const here = path.value + search.value;
  return (
    <Load requestKey={here} request={() => request(cursor)}>
      {(page, reload) => (
        <div class="stack list">
          {isEmpty(page) ? (page.searchedTo ? null : empty) : children(page, reload)}
          <ContinueSearch page={page} />
          <Pager
            label={frame.pages}
            newer={frame.newer}
            older={frame.older}
            note={frame.aPage}
            current={here}
            first={withQuery({})}
            next={page.cursor && !page.searchedTo ? withQuery({ cursor: page.cursor }) : undefined}
          />
        </div>
      )}
    </Load>
  );
};
