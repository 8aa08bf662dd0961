/** What a chart shows for each day; null: nobody counted. */
export interface Series {
  readonly name: string;
  /** A meaning that has a colour of its own. */
  readonly tone?: 'warn' | 'danger';
  readonly values: readonly (number | null)[];
}

export const WIDTH = 600;
export const HEIGHT = 200;
const TOP = 8;

export interface Plot {
  readonly kind: 'bars' | 'stacked' | 'lines';
  readonly series: readonly Series[];
  /** The UTC days, of which there is at least one. */
  readonly days: readonly string[];
}

/** The greatest number, rounded up to a readable axis label. */
export const ceiling = ({ kind, series, days }: Plot): number => {
  const ofDay = (day: number) => series.map(({ values }) => values[day] ?? 0);
  const together = (numbers: readonly number[]) =>
    kind === 'stacked' ? numbers.reduce((sum, value) => sum + value, 0) : Math.max(0, ...numbers);
  const most = Math.max(0, ...days.map((_, day) => together(ofDay(day))));
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((times) => times * unit).find((step) => step >= most) ?? 1;
};

const y = (value: number, top: number) => HEIGHT - (value / top) * (HEIGHT - TOP);
const round = (length: number) => Math.round(length * 100) / 100;

/** The bars of a series: beside those of the others, or on top of those before it. */
export const bars = ({ kind, series, days }: Plot, index: number, top: number) => {
  const day = WIDTH / days.length;
  const isStacked = kind === 'stacked';
  const width = (day * 0.8) / (isStacked ? 1 : series.length);
  return (series[index]?.values ?? []).flatMap((value, at) => {
    if (value === null || value === 0) return [];
    const below = isStacked
      ? series.slice(0, index).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
      : 0;
    const x = at * day + day * 0.1 + (isStacked ? 0 : index * width);
    const upper = y(below + value, top);
    return [{ x: round(x), y: round(upper), width: round(width), height: round(y(below, top) - upper) }];
  });
};

/** The middle of a day. */
export const middle = (day: number, { days }: Pick<Plot, 'days'>): number =>
  round(((day + 0.5) * WIDTH) / days.length);

/** The line of a series, with a gap for each day that nobody counted. A day alone is a dot. */
export const line = (plot: Plot, index: number, top: number): string => {
  let isDown = false;
  const { values } = plot.series[index] ?? { values: [] };
  return values
    .map((value, day) => {
      const wasDown = isDown;
      isDown = value !== null;
      if (value === null) return '';
      const point = `${middle(day, plot)} ${round(y(value, top))}`;
      const isAlone = !wasDown && (values[day + 1] ?? null) === null;
      return `${wasDown ? 'L' : 'M'}${point}${isAlone ? 'h0.01' : ''}`;
    })
    .join('');
};
