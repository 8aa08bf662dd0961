import { Button } from '../kit/button.tsx';
import { Load } from '../kit/load.tsx';
import type { Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { TableOrEmpty } from './empty-list.tsx';
import { stateOf } from './job-state.ts';
import type { Health, Job } from './response-types.ts';
import { State } from './state-signs.tsx';
import { c } from './text.ts';

const SIGNS = { well: 'good', late: 'bad', waits: 'plain' } as const;

const every = (seconds: number): string => {
  const { lengths } = c().jobs;
  if (seconds >= 3_600) return lengths.hours(Math.round(seconds / 3_600));
  return seconds >= 60 ? lengths.minutes(Math.round(seconds / 60)) : lengths.seconds(seconds);
};

const columnsAt = (health: Health): readonly Column<Job>[] => {
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
      title: texts.state,
      cell: (job) => {
        const state = stateOf(job, health);
        return <State sign={SIGNS[state]}>{texts[state]}</State>;
      },
    },
    { title: texts.every, cell: ({ everySeconds }) => every(everySeconds) },
    { title: texts.last, cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} /> },
    {
      title: texts.held,
      cell: ({ heldBy }) => (heldBy === null ? frame.none : <UserText text={heldBy} />),
    },
  ];
};

export const Jobs = () => {
  const { jobs: texts, frame, titles } = c();
  return (
    <Page lead={texts.lead}>
      <Load request={() => read<Health>('health')}>
        {(health, reload) => (
          <div class="stack list">
            <TableOrEmpty
              label={titles['/jobs']}
              columns={columnsAt(health)}
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
