/** One value of a chart for each day; null: the day was not counted. */
export interface Series {
  readonly name: string;
  /** A meaning that has a colour of its own. */
  readonly tone?: 'warn' | 'danger';
  readonly values: readonly (number | null)[];
}

/** The size of a drawing in units of its view box, of which `TOP` stay free above the axis maximum. */
export const WIDTH = 600;
export const HEIGHT = 200;
const TOP = 8;

export interface Plot {
  readonly kind: 'bars' | 'stacked' | 'lines';
  readonly series: readonly Series[];
  /** The UTC days, of which there is at least one. */
  readonly days: readonly string[];
}

/** The greatest value, or the greatest sum of a day in a stacked chart, rounded up to 1, 2, 5 or 10 times a power of ten. */
export const axisMaximum = ({ kind, series, days }: Plot): number => {
  const valuesOf = (day: number) => series.map(({ values }) => values[day] ?? 0);
  const heightOf = (numbers: readonly number[]) =>
    kind === 'stacked' ? numbers.reduce((sum, value) => sum + value, 0) : Math.max(0, ...numbers);
  const most = Math.max(0, ...days.map((_, day) => heightOf(valuesOf(day))));
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((times) => times * unit).find((step) => step >= most) ?? 1;
};

/** The shares of a day's width: of its bars together, and of the gap on either side of them. */
const BARS_SHARE = 0.8;
const GAP_SHARE = 0.1;

/** The heights of zero, of half the axis maximum and of the axis maximum. */
export const GRID = [HEIGHT, (HEIGHT + TOP) / 2, TOP];

const y = (value: number, maximum: number) => HEIGHT - (value / maximum) * (HEIGHT - TOP);
const round = (length: number) => Math.round(length * 100) / 100;

/** The bars of a series, which stand beside those of other series, or stacked on those of earlier series. */
export const bars = ({ kind, series, days }: Plot, index: number, maximum: number) => {
  const dayWidth = WIDTH / days.length;
  const isStacked = kind === 'stacked';
  const width = (dayWidth * BARS_SHARE) / (isStacked ? 1 : series.length);
  return (series[index]?.values ?? []).flatMap((value, day) => {
    if (value === null || value === 0) return [];
    const below = isStacked
      ? series.slice(0, index).reduce((sum, { values }) => sum + (values[day] ?? 0), 0)
      : 0;
    const x = day * dayWidth + dayWidth * GAP_SHARE + (isStacked ? 0 : index * width);
    const upper = y(below + value, maximum);
    return [{ x: round(x), y: round(upper), width: round(width), height: round(y(below, maximum) - upper) }];
  });
};

/** The horizontal middle of a day. */
export const middle = (day: number, { days }: Pick<Plot, 'days'>): number =>
  round(((day + 0.5) * WIDTH) / days.length);

/** The path of a series, with a gap for each uncounted day. A day between two gaps is a dot: a line of almost no length. */
export const line = (plot: Plot, index: number, maximum: number): string => {
  let isPenDown = false;
  const { values } = plot.series[index] ?? { values: [] };
  return values
    .map((value, day) => {
      const wasPenDown = isPenDown;
      isPenDown = value !== null;
      if (value === null) return '';
      const point = `${middle(day, plot)} ${round(y(value, maximum))}`;
      const isAlone = !wasPenDown && (values[day + 1] ?? null) === null;
      return `${wasPenDown ? 'L' : 'M'}${point}${isAlone ? 'h0.01' : ''}`;
    })
    .join('');
};
