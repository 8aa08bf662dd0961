import { Chart } from '../../kit/chart/chart.tsx';
import type { Kind, Series } from '../../kit/chart/shape.ts';
import { Card } from '../../kit/parts.tsx';
import { locale } from '../../text/language.ts';
import { Empty } from '../parts.tsx';
import type { Day } from '../shapes.ts';
import { c } from '../text.ts';
import { tiers } from '../tiers.ts';
import { calendar, greatest, rate, sum, valuesOf } from './days.ts';

const shown = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);
const percent = (value: number): string => `${shown(value)} %`;

const shownDay = (day: string): string =>
  day === ''
    ? ''
    : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
        new Date(day),
      );

interface Drawn {
  readonly title: string;
  readonly sentence: string;
  readonly kind: Kind;
  readonly series: readonly Series[];
  readonly isRate?: boolean;
}

type Counted = readonly (Day | undefined)[];

const signUps = (days: readonly string[], counted: Counted): Drawn => {
  const texts = c().statistics.signUps;
  const all = valuesOf(counted, (day) => day.signUps);
  const most = greatest(days, all);
  const { title, sentence, names } = texts;
  return {
    title,
    sentence: sentence(shown(sum(all)), days.length, shownDay(most.day), shown(most.value)),
    kind: 'stacked',
    series: [
      { name: names[0] ?? '', values: valuesOf(counted, (day) => day.verified) },
      { name: names[1] ?? '', values: valuesOf(counted, (day) => Math.max(0, day.signUps - day.verified)) },
    ],
  };
};

const byTier = (counted: Counted): Drawn => {
  const { title, sentence } = c().statistics.tiers;
  const last = counted.findLast((day) => day !== undefined);
  const used = new Set(counted.flatMap((day) => Object.keys(day?.byTier ?? {})));
  const known = tiers().filter((tier) => used.has(tier));
  const names = [...known, ...[...used].filter((tier) => !known.includes(tier)).sort()];
  const parts = names.map((name) => `${name} ${shown(last?.byTier[name] ?? 0)}`).join(', ');
  return {
    title,
    sentence: sentence(shown(last?.total ?? 0), parts),
    kind: 'stacked',
    series: names.map((name) => ({ name, values: valuesOf(counted, (day) => day.byTier[name] ?? 0) })),
  };
};

const active = (counted: Counted): Drawn => {
  const { title, sentence, names } = c().statistics.active;
  const last = counted.findLast((day) => day !== undefined);
  const picks = [(day: Day) => day.active1, (day: Day) => day.active7, (day: Day) => day.active30];
  return {
    title,
    sentence: sentence(shown(last?.active1 ?? 0), shown(last?.active7 ?? 0), shown(last?.active30 ?? 0)),
    kind: 'lines',
    series: picks.map((pick, index) => ({ name: names[index] ?? '', values: valuesOf(counted, pick) })),
  };
};

const mail = (days: readonly string[], counted: Counted): Drawn => {
  const { title, sentence, names } = c().statistics.mail;
  const waiting = valuesOf(counted, (day) => day.mailWaitingMost);
  const dead = valuesOf(counted, (day) => day.mailDead);
  const most = greatest(days, waiting);
  const last = dead.findLast((value) => value !== null) ?? 0;
  return {
    title,
    sentence: sentence(shown(most.value), shownDay(most.day), shown(last)),
    kind: 'bars',
    series: [
      { name: names[0] ?? '', values: waiting },
      { name: names[1] ?? '', values: dead },
    ],
  };
};

const cache = (days: readonly string[], counted: Counted): Drawn => {
  const { title, sentence, names, none } = c().statistics.cache;
  const whole = rate(
    sum(valuesOf(counted, (day) => day.cacheHits)),
    sum(valuesOf(counted, (day) => day.cacheMisses)),
  );
  return {
    title,
    sentence: whole === null ? none : sentence(percent(whole), days.length),
    kind: 'lines',
    isRate: true,
    series: [
      { name: names[0] ?? '', values: valuesOf(counted, (day) => rate(day.cacheHits, day.cacheMisses)) },
    ],
  };
};

/** All charts over a span of days. */
export const Charts = ({ found, span }: { readonly found: readonly Day[]; readonly span: number }) => {
  const { statistics } = c();
  const { days, counted } = calendar(found, span);
  if (days.length === 0) return <Empty>{statistics.none}</Empty>;
  const drawn = [
    signUps(days, counted),
    byTier(counted),
    active(counted),
    mail(days, counted),
    cache(days, counted),
  ];
  return (
    <>
      <div class="charts">
        {drawn.map(({ isRate = false, ...one }) => (
          <Card key={one.title}>
            <Chart
              {...one}
              days={days}
              shownDay={shownDay}
              shownValue={(value) => {
                if (value === null) return statistics.noDay;
                return isRate ? percent(value) : shown(value);
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
