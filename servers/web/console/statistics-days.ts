import type { Day } from './response-types.ts';

const DAY = 86_400_000;

/** The days up to the newest counted one, the oldest first; undefined for an uncounted day. */
export const calendar = (
  recorded: readonly Day[],
  span: number,
): { readonly days: readonly string[]; readonly counted: readonly (Day | undefined)[] } => {
  const byDay = new Map(recorded.map((day) => [day.day, day]));
  const newest = [...byDay.keys()].sort().at(-1) ?? '';
  const end = Date.parse(newest);
  if (Number.isNaN(end)) return { days: [], counted: [] };
  const days = Array.from({ length: span }, (_, index) =>
    new Date(end - (span - 1 - index) * DAY).toISOString().slice(0, 10),
  );
  return { days, counted: days.map((day) => byDay.get(day)) };
};

/** The values of the counted days; null in the gaps. */
export const valuesOf = (
  counted: readonly (Day | undefined)[],
  pick: (day: Day) => number | null,
): readonly (number | null)[] => counted.map((day) => (day === undefined ? null : pick(day)));

/** The day with the greatest value, and that value. */
export const greatest = (days: readonly string[], values: readonly (number | null)[]) =>
  values.reduce<{ readonly day: string; readonly value: number }>(
    (most, value, index) => (value !== null && value > most.value ? { day: days[index] ?? '', value } : most),
    { day: days.at(-1) ?? '', value: 0 },
  );

export const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** The share of hits in percent; null without reads. */
export const rate = (hits: number, misses: number): number | null =>
  hits + misses === 0 ? null : (hits / (hits + misses)) * 100;
