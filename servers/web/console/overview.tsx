import { link } from '../kit/link.ts';
import { Load, late } from '../kit/load.tsx';
import { Card, Notice, Own } from '../kit/parts.tsx';
import type { Pages } from '../parts.ts';
import { shownTime } from '../text/language.ts';
import { read } from './api.ts';
import { Page } from './page.tsx';
import { State } from './parts.tsx';
import type { Day, Health, ServiceState } from './shapes.ts';
import { standingOf } from './stalled.ts';
import { c } from './text.ts';

interface What {
  readonly sentences: readonly string[];
  readonly to?: string;
  readonly act?: string;
}

/** What to do about a line that is not well. */
const WhatToDo = ({ sentences, to, act }: What) => (
  <p class="small what">
    <b>{c().overview.what}:</b> {sentences.join(' ')} {to === undefined ? null : <a href={link(to)}>{act}</a>}
  </p>
);

const SIGNS = { ok: 'good', degraded: 'warn', unreachable: 'bad' } as const;

/** The words of a name such as `oidc:acme`: those of its kind. */
const adviceFor = (name: string): readonly string[] => {
  const { dependency } = c().overview;
  const kind = name.replace(/:.*/s, '').replace('cache_epoch', 'cache');
  return (Object.hasOwn(dependency, kind) ? dependency[kind] : dependency.other) ?? [];
};

const Line = ({ service, status, down, up }: ServiceState) => {
  const { overview } = c();
  const words = { ok: overview.up, degraded: overview.partly, unreachable: overview.down };
  const nameOf = (name: string) => overview.service[name] ?? name;
  return (
    <li>
      <b>
        <Own text={nameOf(service)} />
      </b>
      <State sign={SIGNS[status]}>{words[status]}</State>
      {status === 'unreachable' ? <WhatToDo sentences={adviceFor(service)} /> : null}
      {down.map((one) => (
        <div key={one} class="what">
          <State sign="bad">
            <Own text={nameOf(one)} />: {overview.down}
          </State>
          <WhatToDo sentences={adviceFor(one)} />
        </div>
      ))}
      {up.map((one) => (
        <div key={one} class="what">
          <State sign="good">
            <Own text={nameOf(one)} />: {overview.up}
          </State>
        </div>
      ))}
    </li>
  );
};

const Services = ({ services }: Pick<Health, 'services'>) => {
  const { overview } = c();
  const isWell = services.every(({ status }) => status === 'ok');
  return (
    <Card title={overview.state}>
      <Notice tone={isWell ? 'good' : 'danger'}>{isWell ? overview.well : overview.degraded}</Notice>
      <ul class="row-list">
        {services.map((one) => (
          <Line key={one.service} {...one} />
        ))}
      </ul>
    </Card>
  );
};

const Jobs = ({ jobs }: Pick<Health, 'jobs'>) => {
  const { overview } = c();
  const late = jobs.filter((job) => standingOf(job) === 'late');
  return (
    <Card title={overview.jobs}>
      {late.length === 0 ? (
        <p>
          <State sign="good">{overview.jobsWell}</State>
        </p>
      ) : (
        <ul class="row-list">
          {late.map(({ task }) => (
            <li key={task}>
              <b>{overview.late(task)}</b>
              <State sign="bad">{overview.stalled}</State>
              <WhatToDo sentences={overview.lateWhat} />
            </li>
          ))}
        </ul>
      )}
      <a href="/jobs">{overview.toJobs}</a>
    </Card>
  );
};

const Backlog = ({ backlog }: Pick<Health, 'backlog'>) => {
  const { overview, titles } = c();
  const { mailWaiting, mailDead, mailOldestSeconds, deliveriesPending, deliveriesDead } = backlog;
  const since = shownTime(Date.now() - mailOldestSeconds * 1_000);
  const lines = [
    {
      name: overview.mailsWaiting,
      count: mailWaiting,
      isBad: false,
      note: mailWaiting > 0 && mailOldestSeconds > 0 ? overview.oldest(since) : '',
      ...{ sentences: overview.mailsWhat, to: '/mails', act: overview.toMails },
    },
    {
      ...{ name: overview.mailsDead, count: mailDead, isBad: mailDead > 0, note: '' },
      ...{ sentences: overview.mailsWhat, to: '/mails?state=dead', act: overview.toMails },
    },
    {
      ...{ name: overview.deliveriesPending, count: deliveriesPending, isBad: false, note: '' },
      ...{ sentences: overview.deliveriesWhat, to: '/deliveries?standing=pending' },
      act: overview.toDeliveries,
    },
    {
      ...{ name: overview.deliveriesDead, count: deliveriesDead, isBad: deliveriesDead > 0, note: '' },
      ...{ sentences: overview.deliveriesWhat, to: '/deliveries?standing=dead' },
      act: overview.toDeliveries,
    },
  ];
  return (
    <Card title={`${titles['/mails']}, ${titles['/deliveries'].toLowerCase()}`}>
      <ul class="row-list">
        {lines.map(({ name, count, isBad, note, ...what }) => (
          <li key={name}>
            <div>
              <a href={link(what.to)}>{name}</a> <span class="muted small">{note}</span>
            </div>
            <State sign={isBad ? 'bad' : 'good'}>{count}</State>
            {isBad ? <WhatToDo {...what} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
};

const loadCharts = late(() => import('./figures/charts.tsx'));

/** The charts stand below what is looked at first. */
const Below = () => (
  <Load from={loadCharts}>
    {({ Charts }) => (
      <Load from={() => read<{ readonly days: readonly Day[] }>('statistics', { days: 30 })}>
        {({ days }) => <Charts found={days} span={30} />}
      </Load>
    )}
  </Load>
);

const Overview = () => (
  <Page>
    <Load from={() => read<Health>('health')}>
      {({ services, jobs, backlog }) => (
        <div class="three">
          <Services services={services} />
          <Jobs jobs={jobs} />
          <Backlog backlog={backlog} />
        </div>
      )}
    </Load>
    <h2>{c().titles['/statistics']}</h2>
    <Below />
  </Page>
);

export const pages: Pages = { '/': Overview };
