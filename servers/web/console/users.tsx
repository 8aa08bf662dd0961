import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Pages } from '../base/load-area.ts';
import { go } from '../base/router.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import type { Outcome } from '../kit/problem.ts';
import type { Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { Empty } from './empty-list.tsx';
import { Folded } from './folded-text.tsx';
import { Filter } from './list-filter.tsx';
import { List } from './paged-list.tsx';
import { parameter, parameters, withQuery } from './query-parameters.ts';
import type { Directory, ListedUser } from './response-types.ts';
import { States } from './state-signs.tsx';
import { c } from './text.ts';
import { tiers } from './tiers.ts';
import { UserLink } from './user-link.tsx';

const FILTERS = ['prefix', 'tier', 'flag'] as const;

const isFiltered = () => FILTERS.some((name) => parameter(name) !== '');

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, select, textarea, dialog') !== null;

/** Focuses the field when `/` is pressed. */
const useSlash = () => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return field;
};

const Search = () => {
  const { users, frame, problems } = c();
  const field = useSlash();
  const id = useId();
  /** When a search was last refused because its text is too short; null after a valid search. */
  const refusedAt = useSignal<number | null>(null);
  const prefix = parameter('prefix');
  // The field shows the prefix of the address, also after going back. The value is set: a new field would lose the focus.
  useEffect(() => {
    if (field.current) field.current.value = prefix;
  }, [prefix]);
  /** Searches for the typed text, with a newly chosen filter. The filter applies even if the text is too short. */
  const show = (filter?: Readonly<Record<string, string>>) => {
    const typed = field.current?.value.trim() ?? '';
    // The service refuses a single character; an empty field lists all users.
    const isShort = typed.length === 1;
    refusedAt.value = isShort ? Date.now() : null;
    if (!isShort) go(withQuery({ prefix: typed, ...filter }));
    else if (filter) go(withQuery(filter));
  };
  return (
    <search>
      <form
        class="row filters"
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <div class="field grows">
          <label for={id}>{users.search}</label>
          <div class="with-button">
            <input
              ref={field}
              id={id}
              class="input"
              type="search"
              name="prefix"
              defaultValue={prefix}
              autocomplete="off"
              spellcheck={false}
              autocapitalize="none"
              aria-keyshortcuts="/"
              title={users.searchHint}
              aria-invalid={refusedAt.value === null ? undefined : true}
              aria-describedby={refusedAt.value === null ? undefined : `${id}-wrong`}
            />
            <Button type="submit">{frame.find}</Button>
          </div>
          {refusedAt.value === null ? null : (
            // Another key makes another element, so that each refusal is announced.
            <p key={refusedAt.value} class="wrong" role="alert" id={`${id}-wrong`}>
              {problems.codes.invalid_prefix}
            </p>
          )}
        </div>
        <Filter
          name="tier"
          label={users.tier}
          any={frame.all}
          options={tiers().map((tier) => [tier, tier])}
          show={show}
        />
        <Filter
          name="flag"
          label={frame.status}
          any={users.any}
          options={Object.entries(users.flags)}
          show={show}
        />
        {isFiltered() ? (
          <LinkButton kind="plain" to="/users">
            {frame.clear}
          </LinkButton>
        ) : null}
      </form>
    </search>
  );
};

const columns = (): readonly Column<ListedUser>[] => {
  const { users, frame, kit } = c();
  return [
    {
      title: kit.email,
      cell: ({ id, email }) => <UserLink id={id} email={email} />,
    },
    {
      title: kit.name,
      cell: ({ displayName }) => (displayName === null ? frame.none : <Folded text={displayName} />),
    },
    { title: users.tier, cell: ({ tier }) => <span class="whole">{tier}</span> },
    { title: frame.status, cell: (user) => <States {...user} /> },
    { title: users.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
};

const NoUsers = () => {
  const { users, frame } = c();
  const prefix = parameter('prefix');
  if (!isFiltered()) return <Empty>{users.nobody}</Empty>;
  return (
    <Empty to="/users" linkText={frame.clearSearch}>
      {prefix === '' ? users.nobodySo : <bdi>{users.nobodyBegins(prefix)}</bdi>}
    </Empty>
  );
};

/** Reads a page of users. If no email can begin with the typed text, the list is empty. */
const readUsers = async (): Promise<Outcome<Directory>> => {
  const result = await read<Directory>('directory', parameters(...FILTERS, 'cursor'));
  return result.problem?.code === 'invalid_email' ? { data: { users: [] } } : result;
};

const Users = () => (
  <Page>
    <Search />
    <List<Directory, ListedUser>
      label={c().titles['/users']}
      request={readUsers}
      rowsOf={({ users }) => users}
      columnsOf={columns}
      keyOf={({ id }) => id}
      empty={<NoUsers />}
    />
  </Page>
);

export const pages: Pages = { '/users': Users };
