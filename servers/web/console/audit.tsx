import type { Pages } from '../base/load-area.ts';
import { go, path, search } from '../base/router.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { link } from '../kit/link.ts';
import { Table } from '../kit/table.tsx';
import { read } from './api.ts';
import { auditColumns } from './audit-columns.tsx';
import { Page } from './console-page.tsx';
import { Empty } from './empty-list.tsx';
import { List } from './paged-list.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { AuditPage } from './response-types.ts';
import { c } from './text.ts';
import { Verify } from './verify-audit.tsx';

const TEXTS = ['actor', 'action', 'target'] as const;
const DAYS = ['since', 'until'] as const;

const Filters = () => {
  const { audit } = c();
  const titles = { since: audit.from, until: audit.to };
  return (
    <search>
      <form
        // The fields show the filters of the address, also after going back.
        key={search.value}
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const values = new FormData(event.currentTarget);
          const textOf = (name: string) => String(values.get(name) ?? '').trim();
          go(withQuery(Object.fromEntries([...TEXTS, ...DAYS].map((name) => [name, textOf(name)]))));
        }}
      >
        {TEXTS.map((name) => (
          <Field
            key={name}
            name={name}
            label={audit[name]}
            autocomplete="off"
            value={parameter(name)}
            optional
          />
        ))}
        {DAYS.map((name) => (
          <div key={name} class="field">
            <label for={`audit-${name}`}>{titles[name]}</label>
            <input
              id={`audit-${name}`}
              type="date"
              name={name}
              class="input"
              defaultValue={parameter(name)}
            />
          </div>
        ))}
        <div class="row">
          <Button type="submit">{audit.find}</Button>
          {search.value === '' ? null : (
            <a class="button plain" href={link(path.value)}>
              {audit.clear}
            </a>
          )}
        </div>
      </form>
    </search>
  );
};

const DAY = 86_400_000;

/** The bounds of days as times: up to the end of the last one. */
const bounds = () => {
  const since = Date.parse(parameter('since'));
  const until = Date.parse(parameter('until'));
  return {
    since: Number.isNaN(since) ? '' : new Date(since).toISOString(),
    until: Number.isNaN(until) ? '' : new Date(until + DAY).toISOString(),
  };
};

const Audit = () => {
  const { audit, frame, titles } = c();
  const isFiltered = search.value !== '';
  return (
    <Page>
      <Verify />
      <Filters />
      <List<AuditPage>
        request={(cursor) =>
          read('audit', {
            actor: parameter('actor'),
            action: parameter('action'),
            target: parameter('target'),
            ...bounds(),
            cursor,
          })
        }
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          isFiltered ? (
            <Empty to="/audit" linkText={frame.clearSearch}>
              {audit.nothing}
            </Empty>
          ) : (
            <Empty>{audit.nothingYet}</Empty>
          )
        }
      >
        {({ rows, emails }) => (
          <Table
            label={titles['/audit']}
            columns={auditColumns(emails)}
            rows={rows}
            keyOf={({ number }) => String(number)}
          />
        )}
      </List>
    </Page>
  );
};

export const pages: Pages = { '/audit': Audit };
