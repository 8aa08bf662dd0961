import type { Pages } from '../base/load-area.ts';
import { Button } from '../kit/button.tsx';
import { CopyIcon } from '../kit/copy-icon.tsx';
import { Load } from '../kit/load.tsx';
import type { Column } from '../kit/table.tsx';
import { Time, utc } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { TableOrEmpty } from './empty-list.tsx';
import { stateOf } from './job-state.ts';
import type { Health, Job, Key } from './response-types.ts';
import { State } from './state-signs.tsx';
import { c, shownNumber } from './text.ts';

const SIGNS = { well: 'good', late: 'bad', waits: 'plain' } as const;

const shownPeriod = (seconds: number): string => {
  const { lengths } = c().jobs;
  if (seconds >= 3_600) return lengths.hours(Math.round(seconds / 3_600));
  return seconds >= 60 ? lengths.minutes(Math.round(seconds / 60)) : lengths.seconds(seconds);
};

const columnsAt = (checkedAt: string): readonly Column<Job>[] => {
  const { jobs: texts, frame } = c();
  return [
    {
      title: texts.task,
      cell: ({ task }) => (
        <>
          <UserText text={task} />
          <div class="muted">{texts.does[task]}</div>
        </>
      ),
    },
    {
      title: frame.status,
      cell: (job) => {
        const state = stateOf(job, checkedAt);
        return <State sign={SIGNS[state]}>{texts[state]}</State>;
      },
    },
    { title: texts.every, cell: ({ everySeconds }) => shownPeriod(everySeconds) },
    { title: texts.last, cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} /> },
    {
      title: texts.held,
      cell: ({ heldBy }) => (heldBy === null ? frame.none : <UserText text={heldBy} />),
    },
  ];
};

const Jobs = () => {
  const { jobs: texts, frame, titles } = c();
  return (
    <Page lead={texts.lead}>
      <Load request={() => read<Health>('health')}>
        {(health, reload) => (
          <div class="stack list">
            <TableOrEmpty
              label={titles['/jobs']}
              columns={columnsAt(health.at)}
              rows={health.jobs}
              keyOf={({ task }) => task}
              empty={texts.nothing}
            />
            <Button kind="plain" onPress={reload}>
              {frame.refresh}
            </Button>
          </div>
        )}
      </Load>
    </Page>
  );
};

const COMMAND = 'npx --no gatehouse keys rotate --kind signing';

const Keys = () => {
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
    { title: frame.status, cell: ({ state }) => texts.states[state] },
    { title: texts.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: texts.sealed,
      isNumber: true,
      cell: ({ sealed, countedAt }) =>
        sealed == null ? (
          frame.none
        ) : (
          <span title={countedAt == null ? '' : texts.counted(utc(countedAt))}>{shownNumber(sealed)}</span>
        ),
    },
  ];
  return (
    <Page>
      <div class="stack">
        <p class="muted">{texts.lead}</p>
        <div class="row named">
          <code class="text">{COMMAND}</code>
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

export const pages: Pages = { '/jobs': Jobs, '/keys': Keys };
