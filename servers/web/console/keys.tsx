import { CopyIcon } from '../kit/copy-icon.tsx';
import { Load } from '../kit/load.tsx';
import type { Column } from '../kit/table.tsx';
import { Time, utc } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { locale } from '../text/language.ts';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { TableOrEmpty } from './empty-list.tsx';
import type { Key } from './response-types.ts';
import { c } from './text.ts';

const COMMAND = 'npx --no gatehouse keys rotate --kind signing';

export const Keys = () => {
  const { keys: texts, frame, titles } = c();
  const columns: readonly Column<Key>[] = [
    {
      title: texts.id,
      cell: ({ id }) => (
        <code>
          <UserText text={id} />
        </code>
      ),
    },
    { title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { title: texts.state, cell: ({ state }) => texts.states[state] },
    { title: texts.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: texts.sealed,
      isNumber: true,
      cell: ({ sealed, countedAt }) =>
        sealed == null ? (
          frame.none
        ) : (
          <span title={countedAt == null ? '' : texts.counted(utc(countedAt))}>
            {new Intl.NumberFormat(locale()).format(sealed)}
          </span>
        ),
    },
  ];
  return (
    <Page>
      <div class="stack">
        <p class="muted">{texts.lead}</p>
        <div class="row named">
          <code class="breaks">{COMMAND}</code>
          <CopyIcon text={COMMAND} />
        </div>
      </div>
      <Load request={() => read<{ readonly keys: readonly Key[] }>('keys')}>
        {({ keys }) => (
          <TableOrEmpty
            label={titles['/keys']}
            columns={columns}
            rows={keys}
            keyOf={({ kind, id }) => `${kind} ${id}`}
            empty={texts.nothing}
          />
        )}
      </Load>
    </Page>
  );
};
