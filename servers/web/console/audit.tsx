import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../base/load-area.ts';
import { go, path, search } from '../base/router.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { read } from './api.ts';
import { auditColumns } from './audit-columns.tsx';
import { Page } from './console-page.tsx';
import { Empty } from './empty-list.tsx';
import { List } from './paged-list.tsx';
import { parameter, parameters, withQuery } from './query-parameters.ts';
import type { AuditPage, AuditRow } from './response-types.ts';
import { c } from './text.ts';
import { Verify } from './verify-audit.tsx';

const FILTERS = ['actor', 'action', 'target', 'since', 'until'] as const;

const Filters = () => {
  const { audit, frame } = c();
  const form = useRef<HTMLFormElement>(null);
  // The fields show the filters of the address, also after going back. The values are set: new fields would lose the focus.
  useEffect(() => {
    for (const name of FILTERS) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = parameter(name);
    }
  }, [search.value]);
  return (
    <search>
      <form
        ref={form}
        class="row filters"
        onSubmit={(event) => {
          event.preventDefault();
          const values = new FormData(event.currentTarget);
          const textOf = (name: string) => String(values.get(name) ?? '').trim();
          go(withQuery(Object.fromEntries(FILTERS.map((name) => [name, textOf(name)]))));
        }}
      >
        {FILTERS.map((name) => (
          <Field
            key={name}
            name={name}
            type={name === 'since' || name === 'until' ? 'date' : 'text'}
            label={audit[name]}
            autocomplete="off"
            value={parameter(name)}
            optional
          />
        ))}
        <div class="row">
          <Button type="submit">{frame.find}</Button>
          {search.value === '' ? null : (
            <LinkButton kind="plain" to={path.value}>
              {frame.clear}
            </LinkButton>
          )}
        </div>
      </form>
    </search>
  );
};

const DAY_MS = 86_400_000;

/** The start of the UTC day in a parameter of the address, moved by an offset. Text that is no day is left to the server. */
const timeOf = (name: string, offsetMs = 0): string => {
  const day = parameter(name);
  const time = new Date(Date.parse(day) + offsetMs);
  return Number.isNaN(time.getTime()) ? day : time.toISOString();
};

const Audit = () => {
  const { audit, frame, titles } = c();
  return (
    <Page>
      <Verify />
      <Filters />
      <List<AuditPage, AuditRow>
        label={titles['/audit']}
        request={() =>
          read('audit', {
            ...parameters('actor', 'action', 'target', 'cursor'),
            since: timeOf('since'),
            // Up to the end of the day.
            until: timeOf('until', DAY_MS),
          })
        }
        rowsOf={({ rows }) => rows}
        columnsOf={({ emails }) => auditColumns(emails)}
        keyOf={({ number }) => String(number)}
        empty={
          search.value === '' ? (
            <Empty>{audit.nothingYet}</Empty>
          ) : (
            <Empty to="/audit" linkText={frame.clearSearch}>
              {audit.nothing}
            </Empty>
          )
        }
      />
    </Page>
  );
};

export const pages: Pages = { '/audit': Audit };
