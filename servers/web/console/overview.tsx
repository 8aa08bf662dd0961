import type { Pages } from '../base/areas.ts';
import { Card } from '../kit/card.tsx';
import { link } from '../kit/link.ts';
import { Load, lazyPiece } from '../kit/load.tsx';
import { Notice } from '../kit/messages.tsx';
import { UserText } from '../kit/user-text.tsx';
import { shownTime } from '../text/language.ts';
import { read } from './api.ts';
import { Page } from './page.tsx';
import type { Day, Health, ServiceState } from './shapes.ts';
import { stateOf } from './stalled.ts';
import { State } from './status.tsx';
import { c } from './text.ts';

interface Advice {
  readonly sentences: readonly string[];
  readonly to?: string;
  readonly linkText?: string;
}

/** Advice about an unhealthy line. */
const AdviceText = ({ sentences, to, linkText }: Advice) => (
  <p class="small what">
    <b>{c().overview.what}:</b> {sentences.join(' ')}{' '}
    {to === undefined ? null : <a href={link(to)}>{linkText}</a>}
  </p>
);

const SIGNS = { ok: 'good', degraded: 'warn', unreachable: 'bad' } as const;

/** The text of a name such as `oidc:acme`, by its kind. */
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
        <UserText text={nameOf(service)} />
      </b>
      <State sign={SIGNS[status]}>{words[status]}</State>
      {status === 'unreachable' ? <AdviceText sentences={adviceFor(service)} /> : null}
      {down.map((name) => (
        <div key={name} class="what">
          <State sign="bad">
            <UserText text={nameOf(name)} />: {overview.down}
          </State>
          <AdviceText sentences={adviceFor(name)} />
        </div>
      ))}
      {up.map((name) => (
        <div key={name} class="what">
          <State sign="good">
            <UserText text={nameOf(name)} />: {overview.up}
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
        {services.map((name) => (
          <Line key={name.service} {...name} />
        ))}
      </ul>
    </Card>
  );
};

const Jobs = ({ jobs, at }: Pick<Health, 'jobs' | 'at'>) => {
  const { overview } = c();
  const lateJobs = jobs.filter((job) => stateOf(job, { at }) === 'late');
  return (
    <Card title={overview.jobs}>
      {lateJobs.length === 0 ? (
        <p>
          <State sign="good">{overview.jobsWell}</State>
        </p>
      ) : (
        <ul class="row-list">
          {lateJobs.map(({ task }) => (
            <li key={task}>
              <b>{overview.late(task)}</b>
              <State sign="bad">{overview.stalled}</State>
              <AdviceText sentences={overview.lateWhat} />
            </li>
          ))}
        </ul>
      )}
      <a href="/jobs">{overview.toJobs}</a>
    </Card>
  );
};

const Backlog = ({ backlog, at }: Pick<Health, 'backlog' | 'at'>) => {
  const { overview, titles } = c();
  const { mailWaiting, mailDead, mailOldestSeconds, deliveriesPending, deliveriesDead } = backlog;
  const since = shownTime(Date.parse(at) - mailOldestSeconds * 1_000);
  const lines = [
    {
      name: overview.mailsWaiting,
      count: mailWaiting,
      isBad: false,
      note: mailWaiting > 0 && mailOldestSeconds > 0 ? overview.oldest(since) : '',
      sentences: overview.mailsWhat,
      to: '/mails',
      linkText: overview.toMails,
    },
    {
      name: overview.mailsDead,
      count: mailDead,
      isBad: mailDead > 0,
      note: '',
      sentences: overview.mailsWhat,
      to: '/mails?state=dead',
      linkText: overview.toMails,
    },
    {
      name: overview.deliveriesPending,
      count: deliveriesPending,
      isBad: false,
      note: '',
      sentences: overview.deliveriesWhat,
      to: '/deliveries?standing=pending',
      linkText: overview.toDeliveries,
    },
    {
      name: overview.deliveriesDead,
      count: deliveriesDead,
      isBad: deliveriesDead > 0,
      note: '',
      sentences: overview.deliveriesWhat,
      to: '/deliveries?standing=dead',
      linkText: overview.toDeliveries,
    },
  ];
  return (
    <Card title={`${titles['/mails']}, ${titles['/deliveries'].toLowerCase()}`}>
      <ul class="row-list">
        {lines.map(({ name, count, isBad, note, ...advice }) => (
          <li key={name}>
            <div>
              <a href={link(advice.to)}>{name}</a> <span class="muted small">{note}</span>
            </div>
            <State sign={isBad ? 'bad' : 'good'}>{count}</State>
            {isBad ? <AdviceText {...advice} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
};

const loadCharts = lazyPiece(() => import('./statistics-charts.tsx'));

/** The charts are below the fold. */
const Below = () => (
  <Load request={loadCharts}>
    {({ Charts }) => (
      <Load request={() => read<{ readonly days: readonly Day[] }>('statistics', { days: 30 })}>
        {({ days }) => <Charts recorded={days} span={30} />}
      </Load>
    )}
  </Load>
);

const Overview = () => (
  <Page>
    <Load request={() => read<Health>('health')}>
      {({ services, jobs, backlog, at }) => (
        <div class="three">
          <Services services={services} />
          <Jobs jobs={jobs} at={at} />
          <Backlog backlog={backlog} at={at} />
        </div>
      )}
    </Load>
    <h2>{c().titles['/statistics']}</h2>
    <Below />
  </Page>
);

export const pages: Pages = { '/': Overview };
