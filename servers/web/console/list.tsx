import type { ComponentChildren } from 'preact';
import type { Outcome } from '../api.ts';
import { Load } from '../kit/load.tsx';
import { Pager } from '../kit/pager.tsx';
import { utc } from '../kit/time.tsx';
import { path, search } from '../router.ts';
import { Empty } from './parts.tsx';
import type { Paged } from './shapes.ts';
import { c } from './text.ts';

/** The address of this page with other parameters; an empty one goes. A list begins anew with its filters. */
export const withQuery = (changes: Readonly<Record<string, string | null>>): string => {
  const parameters = new URLSearchParams(search.value);
  parameters.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? path.value : `${path.value}?${text}`;
};

/** What the address asks for. */
export const asked = (name: string): string => new URLSearchParams(search.value).get(name) ?? '';

interface ListProps<T extends Paged> {
  readonly from: (cursor: string) => Promise<Outcome<T>>;
  readonly isEmpty: (found: T) => boolean;
  readonly empty: ComponentChildren;
  readonly children: (found: T, again: () => Promise<void>) => ComponentChildren;
}

const Further = ({ found }: { readonly found: Paged }) => {
  const { frame } = c();
  if (!found.searchedTo || !found.cursor) return null;
  // Lists by email have no time to name.
  const shown = /^\d{4}-/.test(found.searchedTo) ? utc(found.searchedTo) : found.searchedTo;
  return (
    <Empty next={withQuery({ cursor: found.cursor })} act={frame.further}>
      {frame.searchedTo(shown)}
    </Empty>
  );
};

/** A page of a list whose filters and place stand in the address. */
export const List = <T extends Paged>({ from, isEmpty, empty, children }: ListProps<T>) => {
  const { frame } = c();
  const cursor = asked('cursor');
  const here = path.value + search.value;
  return (
    <Load what={here} from={() => from(cursor)}>
      {(found, again) => (
        <div class="stack list">
          {isEmpty(found) ? (found.searchedTo ? null : empty) : children(found, again)}
          <Further found={found} />
          <Pager
            label={frame.pages}
            newer={frame.newer}
            older={frame.older}
            note={frame.aPage}
            here={here}
            first={withQuery({})}
            next={found.cursor && !found.searchedTo ? withQuery({ cursor: found.cursor }) : undefined}
          />
        </div>
      )}
    </Load>
  );
};
