import type { Pages } from '../base/load-area.ts';
import { Card } from '../kit/card.tsx';
import { link } from '../kit/link.ts';
import { Load, lazyPiece } from '../kit/load.tsx';
import { Failed, Notice } from '../kit/messages.tsx';
import type { Outcome } from '../kit/problem.ts';
import { utc } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { stateOf } from './job-state.ts';
import type { Health, ServiceState, Statistics } from './response-types.ts';
import { type Sign, State } from './state-signs.tsx';
import { c, shownNumber } from './text.ts';
import { tiers } from './tiers.ts';

/** A line of the status. If its sign is `bad`, the advice and the link `to` follow it; otherwise the name leads to `to`. */
interface Line {
  readonly name: string;
  readonly sign: Sign;
  readonly word: string | number;
  readonly note?: string;
  readonly advice?: readonly string[] | undefined;
  readonly to?: string;
  readonly linkText?: string;
}

const RANK: Readonly<Record<Sign, number>> = { bad: 0, warn: 1, plain: 2, good: 3 };
const SIGNS = { ok: 'good', degraded: 'warn', unreachable: 'bad' } as const;

/** The advice about a service or dependency such as `oidc:acme`, by the part before the colon. */
const adviceFor = (name: string): readonly string[] | undefined => {
  const { dependency } = c().overview;
  // `cache_epoch`, the invalidation of the cache, fails with the cache: its advice is the same.
  const kind = name.replace(/:.*/s, '').replace('cache_epoch', 'cache');
  return Object.hasOwn(dependency, kind) ? dependency[kind] : dependency.other;
};

/** A line for a service, with the dependencies that are up as its note, and one for each that is down. */
const serviceLines = ({ service, status, down, up }: ServiceState): readonly Line[] => {
  const { overview } = c();
  const words = { ok: overview.up, degraded: overview.partly, unreachable: overview.down };
  const nameOf = (name: string) => overview.service[name] ?? name;
  return [
    {
      name: nameOf(service),
      sign: SIGNS[status],
      word: words[status],
      note: up.map(nameOf).join(', '),
      advice: adviceFor(service),
    },
    ...down.map((name) => ({
      name: nameOf(name),
      sign: 'bad' as const,
      word: overview.down,
      note: nameOf(service),
      advice: adviceFor(name),
    })),
  ];
};

const jobLines = ({ jobs, at }: Health): readonly Line[] => {
  const { overview, titles } = c();
  const toJobs = { to: '/jobs', linkText: overview.toJobs };
  const lateJobs = jobs.filter((job) => stateOf(job, at) === 'late');
  if (lateJobs.length === 0)
    return [{ name: titles['/jobs'], sign: 'good', word: overview.jobsWell, ...toJobs }];
  return lateJobs.map(({ task }) => ({
    name: overview.job(task),
    sign: 'bad',
    word: overview.stalled,
    advice: overview.lateWhat,
    ...toJobs,
  }));
};

const backlogLines = ({ backlog, at }: Health): readonly Line[] => {
  const { overview } = c();
  const { mailWaiting, mailDead, mailOldestSeconds, deliveriesPending, deliveriesDead } = backlog;
  const oldest = utc(new Date(Date.parse(at) - mailOldestSeconds * 1_000).toISOString());
  return [
    {
      name: overview.mailsWaiting,
      word: mailWaiting,
      sign: mailWaiting > 0 ? 'plain' : 'good',
      note: mailWaiting > 0 && mailOldestSeconds > 0 ? overview.oldest(oldest) : '',
      to: '/mails',
    },
    {
      name: overview.mailsDead,
      word: mailDead,
      sign: mailDead > 0 ? 'bad' : 'good',
      advice: overview.mailsWhat,
      to: '/mails?state=dead',
      linkText: overview.toMails,
    },
    {
      name: overview.deliveriesPending,
      word: deliveriesPending,
      sign: deliveriesPending > 0 ? 'plain' : 'good',
      to: '/deliveries?standing=pending',
    },
    {
      name: overview.deliveriesDead,
      word: deliveriesDead,
      sign: deliveriesDead > 0 ? 'bad' : 'good',
      advice: overview.deliveriesWhat,
      to: '/deliveries?standing=dead',
      linkText: overview.toDeliveries,
    },
  ];
};

const Status = ({ health }: { readonly health: Health }) => {
  const { overview, frame } = c();
  const lines = [...health.services.flatMap(serviceLines), ...jobLines(health), ...backlogLines(health)].sort(
    (a, b) => RANK[a.sign] - RANK[b.sign],
  );
  const worst = lines[0]?.sign;
  const isWell = worst !== 'bad' && worst !== 'warn';
  return (
    <Card title={frame.status}>
      <Notice tone={isWell ? 'good' : 'danger'}>{isWell ? overview.well : overview.degraded}</Notice>
      <ul class="row-list status">
        {lines.map(({ name, sign, word, note, advice, to, linkText }) => (
          <li key={name + note}>
            <div>
              {to === undefined || sign === 'bad' ? (
                <UserText bold text={name} />
              ) : (
                <a href={link(to)}>{name}</a>
              )}{' '}
              {note ? (
                <span class="muted small">
                  <UserText text={note} />
                </span>
              ) : null}
            </div>
            <State sign={sign}>{word}</State>
            {sign !== 'bad' ? null : (
              <p class="small">
                {advice?.join(' ')} {to === undefined ? null : <a href={link(to)}>{linkText}</a>}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
};

const Totals = ({ users }: Pick<Statistics, 'users'>) => {
  const { overview, titles } = c();
  const words = overview.users;
  const byTier = Object.entries(users.byTier)
    .sort(([a], [b]) => tiers().indexOf(a) - tiers().indexOf(b))
    .map(([tier, count]) => `${tier}\u00a0${shownNumber(Number(count))}`);
  const tiles = [
    [titles['/users'], users.total, '/users', byTier.join(' · ')],
    [words.unverified, users.total - users.verified, '/users?flag=unverified'],
    [words.twoFactor, users.twoFactor, '/users?flag=two_factor'],
    [words.banned, users.banned, '/users?flag=banned'],
    [words.disabled, users.disabled, '/users?flag=disabled'],
  ] as const;
  return (
    <ul class="tiles" aria-label={words.now}>
      {tiles.map(([name, count, to, note]) => (
        <li key={name} class="card">
          <a href={link(to)}>{name}</a>
          <b>{shownNumber(count)}</b>
          {note ? <span class="muted small">{note}</span> : null}
        </li>
      ))}
    </ul>
  );
};

/** Reads the status and the statistics. The page shows the status even if the statistics cannot be read. */
const load = async (): Promise<Outcome<{ health: Health; statistics: Outcome<Statistics> }>> => {
  const [health, statistics] = await Promise.all([
    read<Health>('health'),
    read<Statistics>('statistics', { days: 30 }),
  ]);
  return health.problem === undefined ? { data: { health: health.data, statistics } } : health;
};

const loadCharts = lazyPiece(() => import('./statistics-charts.tsx'));

const Overview = () => (
  <Page>
    <Load request={load}>
      {({ health, statistics: { data, problem } }, reload) => (
        <>
          <Status health={health} />
          {data === undefined ? (
            <Failed problem={problem} onRetry={reload} />
          ) : (
            <>
              <Totals users={data.users} />
              <h2>{c().titles['/statistics']}</h2>
              <Load request={loadCharts}>{({ Charts }) => <Charts recorded={data.days} span={30} />}</Load>
            </>
          )}
        </>
      )}
    </Load>
  </Page>
);

export const pages: Pages = { '/': Overview };
