import { Card } from '../kit/card.tsx';
import { Chart } from '../kit/chart.tsx';
import type { Kind, Series } from '../kit/chart-shape.ts';
import { locale } from '../text/language.ts';
import { Empty } from './empty-list.tsx';
import type { Day } from './response-types.ts';
import { calendar, greatest, rate, sum, valuesOf } from './statistics-days.ts';
import { c } from './text.ts';
import { tiers } from './tiers.ts';

const formatNumber = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);
const percent = (value: number): string => `${formatNumber(value)} %`;

const shownDay = (day: string): string =>
  day === ''
    ? ''
    : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
        new Date(day),
      );

interface ChartData {
  readonly title: string;
  readonly sentence: string;
  readonly none: string;
  readonly kind: Kind;
  readonly series: readonly Series[];
  readonly isRate?: boolean;
}

type Counted = readonly (Day | undefined)[];

const signUps = (days: readonly string[], counted: Counted): ChartData => {
  const texts = c().statistics.signUps;
  const values = valuesOf(counted, (day) => day.signUps);
  const most = greatest(days, values);
  const { title, sentence, none, names } = texts;
  return {
    title,
    none,
    sentence: sentence(formatNumber(sum(values)), days.length, shownDay(most.day), formatNumber(most.value)),
    kind: 'stacked',
    series: [
      { name: names[0] ?? '', values: valuesOf(counted, (day) => day.verified) },
      {
        name: names[1] ?? '',
        tone: 'warn',
        values: valuesOf(counted, (day) => Math.max(0, day.signUps - day.verified)),
      },
    ],
  };
};

const byTier = (counted: Counted): ChartData => {
  const { title, sentence, none } = c().statistics.tiers;
  const lastDay = counted.findLast((day) => day !== undefined);
  const usedTiers = new Set(counted.flatMap((day) => Object.keys(day?.byTier ?? {})));
  const knownTiers = tiers().filter((tier) => usedTiers.has(tier));
  const names = [...knownTiers, ...[...usedTiers].filter((tier) => !knownTiers.includes(tier)).sort()];
  const summary = names.map((name) => `${name} ${formatNumber(lastDay?.byTier[name] ?? 0)}`).join(', ');
  return {
    title,
    none,
    sentence: sentence(formatNumber(lastDay?.total ?? 0), summary),
    kind: 'stacked',
    series: names.map((name) => ({ name, values: valuesOf(counted, (day) => day.byTier[name] ?? 0) })),
  };
};

const active = (counted: Counted): ChartData => {
  const { title, sentence, none, names } = c().statistics.active;
  const lastDay = counted.findLast((day) => day !== undefined);
  const picks = [(day: Day) => day.active1, (day: Day) => day.active7, (day: Day) => day.active30];
  return {
    title,
    none,
    sentence: sentence(
      formatNumber(lastDay?.active1 ?? 0),
      formatNumber(lastDay?.active7 ?? 0),
      formatNumber(lastDay?.active30 ?? 0),
    ),
    kind: 'lines',
    series: picks.map((pick, index) => ({ name: names[index] ?? '', values: valuesOf(counted, pick) })),
  };
};

const mail = (days: readonly string[], counted: Counted): ChartData => {
  const { title, sentence, none, names } = c().statistics.mail;
  const waiting = valuesOf(counted, (day) => day.mailWaitingMost);
  const dead = valuesOf(counted, (day) => day.mailDead);
  const most = greatest(days, waiting);
  const lastDead = dead.findLast((value) => value !== null) ?? 0;
  return {
    title,
    none,
    sentence: sentence(formatNumber(most.value), shownDay(most.day), formatNumber(lastDead)),
    kind: 'bars',
    series: [
      { name: names[0] ?? '', values: waiting },
      { name: names[1] ?? '', tone: 'danger', values: dead },
    ],
  };
};

const cache = (days: readonly string[], counted: Counted): ChartData => {
  const { title, sentence, names, none } = c().statistics.cache;
  const hitRate = rate(
    sum(valuesOf(counted, (day) => day.cacheHits)),
    sum(valuesOf(counted, (day) => day.cacheMisses)),
  );
  return {
    title,
    none,
    sentence: sentence(percent(hitRate ?? 0), days.length),
    kind: 'lines',
    isRate: true,
    series: [
      { name: names[0] ?? '', values: valuesOf(counted, (day) => rate(day.cacheHits, day.cacheMisses)) },
    ],
  };
};

/** All charts over a span of days. */
export const Charts = ({ recorded, span }: { readonly recorded: readonly Day[]; readonly span: number }) => {
  const { statistics } = c();
  const { days, counted } = calendar(recorded, span);
  if (days.length === 0) return <Empty>{statistics.none}</Empty>;
  const charts = [
    signUps(days, counted),
    byTier(counted),
    active(counted),
    mail(days, counted),
    cache(days, counted),
  ];
  return (
    <>
      <div class="charts">
        {charts.map(({ isRate = false, ...chart }) => (
          <Card key={chart.title}>
            <Chart
              {...chart}
              days={days}
              shownDay={shownDay}
              shownValue={(value) => {
                if (value === null) return statistics.noDay;
                return isRate ? percent(value) : formatNumber(value);
              }}
              words={statistics}
            />
          </Card>
        ))}
      </div>
      <p class="muted small">{statistics.note}</p>
    </>
  );
};
