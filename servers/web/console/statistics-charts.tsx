import { Card } from '../kit/card.tsx';
import { Chart, type ChartProps, percent, shownDay } from './chart.tsx';
import type { Series } from './chart-shape.ts';
import { Empty } from './empty-list.tsx';
import type { Day } from './response-types.ts';
import { c, shownNumber } from './text.ts';
import { tiers } from './tiers.ts';

const DAY_MS = 86_400_000;

/** The `span` days up to the newest counted one, the oldest first. */
const calendar = (recorded: readonly Day[], span: number): readonly string[] => {
  const newest = recorded
    .map(({ day }) => day)
    .sort()
    .at(-1);
  if (newest === undefined) return [];
  return Array.from({ length: span }, (_, index) =>
    new Date(Date.parse(newest) - (span - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
};

type Values = Series['values'];

/** The day with the greatest value, and that value; the last day and 0 if no value is above 0. */
const greatest = (days: readonly string[], values: Values) =>
  values.reduce<{ readonly day: string; readonly value: number }>(
    (most, value, index) => (value !== null && value > most.value ? { day: days[index] ?? '', value } : most),
    { day: days.at(-1) ?? '', value: 0 },
  );

const sum = (values: Values): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** The share of hits in percent; null without reads. */
const rate = (hits: number, misses: number): number | null =>
  hits + misses === 0 ? null : (hits / (hits + misses)) * 100;

/**
 * The charts over the days, of which at least one was counted. Each part of `statistics` has the texts of one chart. Its
 * `sentence` is a function of the chart's numbers.
 */
const chartsOf = (days: readonly string[], recorded: readonly Day[]): readonly Omit<ChartProps, 'days'>[] => {
  const { signUps, tiers: tierTexts, active, mail, cache } = c().statistics;
  const byDay = new Map(recorded.map((day) => [day.day, day]));
  /** Undefined for a day that was not counted. */
  const entries = days.map((day) => byDay.get(day));
  /** The values of the counted days; null in the gaps. */
  const valuesOf = (pick: (day: Day) => number | null): Values =>
    entries.map((day) => (day === undefined ? null : pick(day)));
  const lastDay = entries.findLast((day) => day !== undefined);
  const usedTiers = new Set(entries.flatMap((day) => Object.keys(day?.byTier ?? {})));
  const knownTiers = tiers().filter((tier) => usedTiers.has(tier));
  // In the order of the settings, then those that the settings no longer name.
  const tierNames = [...knownTiers, ...[...usedTiers].filter((tier) => !knownTiers.includes(tier)).sort()];
  const newUsers = valuesOf((day) => day.signUps);
  const mostNewUsers = greatest(days, newUsers);
  const waiting = valuesOf((day) => day.mailWaitingMost);
  const mostWaiting = greatest(days, waiting);
  const hitRate = rate(sum(valuesOf((day) => day.cacheHits)), sum(valuesOf((day) => day.cacheMisses)));
  return [
    {
      ...signUps,
      sentence: signUps.sentence(
        shownNumber(sum(newUsers)),
        days.length,
        shownDay(mostNewUsers.day),
        shownNumber(mostNewUsers.value),
      ),
      kind: 'stacked',
      series: [
        { name: signUps.names.verified, values: valuesOf((day) => day.verified) },
        {
          name: signUps.names.unverified,
          tone: 'warn',
          // No bar has a negative height, whatever the store says.
          values: valuesOf((day) => Math.max(0, day.signUps - day.verified)),
        },
      ],
    },
    {
      ...tierTexts,
      sentence: tierTexts.sentence(
        shownNumber(lastDay?.total ?? 0),
        tierNames.map((name) => `${name} ${shownNumber(lastDay?.byTier[name] ?? 0)}`).join(', '),
      ),
      kind: 'stacked',
      series: tierNames.map((name) => ({ name, values: valuesOf((day) => day.byTier[name] ?? 0) })),
    },
    {
      ...active,
      sentence: active.sentence(
        shownNumber(lastDay?.active1 ?? 0),
        shownNumber(lastDay?.active7 ?? 0),
        shownNumber(lastDay?.active30 ?? 0),
      ),
      kind: 'lines',
      series: [
        { name: active.names.day, values: valuesOf((day) => day.active1) },
        { name: active.names.week, values: valuesOf((day) => day.active7) },
        { name: active.names.month, values: valuesOf((day) => day.active30) },
      ],
    },
    {
      ...mail,
      sentence: mail.sentence(
        shownNumber(mostWaiting.value),
        shownDay(mostWaiting.day),
        shownNumber(lastDay?.mailDead ?? 0),
      ),
      kind: 'bars',
      series: [
        { name: mail.names.waiting, values: waiting },
        { name: mail.names.dead, tone: 'danger', values: valuesOf((day) => day.mailDead) },
      ],
    },
    {
      ...cache,
      sentence: cache.sentence(percent(hitRate ?? 0), days.length),
      kind: 'lines',
      isRate: true,
      series: [{ name: cache.hits, values: valuesOf((day) => rate(day.cacheHits, day.cacheMisses)) }],
    },
  ];
};

export const Charts = ({ recorded, span }: { readonly recorded: readonly Day[]; readonly span: number }) => {
  const { statistics } = c();
  const days = calendar(recorded, span);
  if (days.length === 0) return <Empty>{statistics.none}</Empty>;
  return (
    <>
      <div class="charts">
        {chartsOf(days, recorded).map((chart) => (
          <Card key={chart.title}>
            <Chart {...chart} days={days} />
          </Card>
        ))}
      </div>
      <p class="muted small">{statistics.note}</p>
    </>
  );
};
