import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { Table } from '../kit/table.tsx';
import { locale } from '../text/language.ts';
import {
  axisMaximum,
  bars,
  GRID,
  HEIGHT,
  line,
  middle,
  type Plot,
  type Series,
  WIDTH,
} from './chart-shape.ts';
import { c, shownNumber } from './text.ts';

export interface ChartProps extends Plot {
  readonly title: string;
  readonly sentence: string;
  /** Stands in place of a chart without any value above zero. */
  readonly none: string;
  /** Whether the values are percents. */
  readonly isRate?: boolean;
}

/** Lines differ by their dashes as well as by their colours. */
const DASHES = ['none', '8 4', '2 4', '12 4 2 4', '4 2'];

const classOf = ({ tone }: Series, index: number) => `series-${tone ?? index + 1}`;

export const shownDay = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(day));

export const percent = (value: number): string => `${shownNumber(value)}%`;

/** `at`: the index of the day that is marked. */
const Drawing = ({ at, ...plot }: Plot & { readonly at: number | null }) => {
  const maximum = axisMaximum(plot);
  return (
    <>
      {GRID.map((height) => (
        <line key={height} class="grid" x1="0" x2={WIDTH} y1={height} y2={height} />
      ))}
      {at === null ? null : (
        <line class="marker" x1={middle(at, plot)} x2={middle(at, plot)} y1="0" y2={HEIGHT} />
      )}
      {plot.series.map((item, index) =>
        plot.kind === 'lines' ? (
          <path
            key={item.name}
            class={`line ${classOf(item, index)}`}
            d={line(plot, index, maximum)}
            stroke-dasharray={DASHES[index]}
          />
        ) : (
          <g key={item.name} class={`bar ${classOf(item, index)}`}>
            {bars(plot, index, maximum).map((bar) => (
              <rect key={bar.x} {...bar} />
            ))}
          </g>
        ),
      )}
    </>
  );
};

interface SampleProps extends Pick<Plot, 'kind'> {
  readonly item: Series;
  readonly index: number;
}

const Sample = ({ item, index, kind }: SampleProps) => (
  <svg class={`sample ${classOf(item, index)}`} width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">
    {kind === 'lines' ? (
      <path class="line" d="M0 6H24" stroke-dasharray={DASHES[index]} />
    ) : (
      <rect class="bar" width="24" height="12" />
    )}
  </svg>
);

/** Places the tooltip by script: the content security policy forbids style attributes. `translate` keeps it in the chart. */
const placeAt = (share: number) => (tooltip: HTMLElement | null) => {
  if (tooltip === null) return;
  tooltip.style.left = `${share * 100}%`;
  tooltip.style.translate = `${share * -100}%`;
};

/** Numbers by day. A tooltip follows the pointer, or a slider for keyboards and screen readers that is hidden without focus. */
export const Chart = ({ title, sentence, none, kind, days, series, isRate = false }: ChartProps) => {
  const lastIndex = days.length - 1;
  const selected = useSignal(lastIndex);
  const isMarked = useSignal(false);
  const asTable = useSignal(false);
  const texts = c().statistics;
  // A shorter span of days may have been chosen after the day was selected.
  const at = Math.min(selected.value, lastIndex);
  const dayAt = (index: number) => shownDay(days[index] ?? '');
  const shown = isRate ? percent : shownNumber;
  const textAt = ({ values }: Series, index = at) => {
    const value = values[index] ?? null;
    return value === null ? texts.noDay : shown(value);
  };
  const select = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const pointed = Math.floor(((event.clientX - left) / width) * days.length);
    selected.value = Math.max(0, Math.min(lastIndex, pointed));
    isMarked.value = true;
  };
  const tableButton = asTable.value ? texts.showChart : texts.showTable;
  if (series.every(({ values }) => values.every((value) => !value)))
    return (
      <figure class="chart">
        <div class="row apart">
          <h2>{title}</h2>
        </div>
        <p class="empty muted">{none}</p>
      </figure>
    );
  return (
    <figure class="chart">
      <div class="row apart">
        <h2>{title}</h2>
        <Button
          kind="link"
          label={`${tableButton}: ${title}`}
          onPress={() => {
            asTable.value = !asTable.value;
          }}
        >
          {tableButton}
        </Button>
      </div>
      <figcaption>{sentence}</figcaption>
      {asTable.value ? (
        <Table
          label={title}
          keyOf={(index) => String(index)}
          // The newest day first.
          rows={days.map((_, index) => lastIndex - index)}
          columns={[
            { title: texts.day, cell: (index) => days[index] },
            ...series.map((item) => ({
              title: item.name,
              isNumber: true,
              cell: (index: number) => textAt(item, index),
            })),
          ]}
        />
      ) : (
        <>
          <p class="scale">{shown(axisMaximum({ kind, series, days }))}</p>
          <div class="plot">
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              aria-hidden="true"
              onPointerMove={select}
              onPointerDown={select}
              onPointerLeave={({ pointerType }) => {
                // Lifting the finger keeps the tooltip.
                if (pointerType !== 'touch') isMarked.value = false;
              }}
            >
              <Drawing kind={kind} series={series} days={days} at={isMarked.value ? at : null} />
            </svg>
            {isMarked.value ? (
              <div class="tooltip" aria-hidden="true" ref={placeAt((at + 0.5) / days.length)}>
                <b>{dayAt(at)}</b>
                {series.map((item, index) => (
                  <div key={item.name}>
                    <Sample item={item} index={index} kind={kind} />
                    {item.name} <b>{textAt(item)}</b>
                  </div>
                ))}
              </div>
            ) : null}
            <input
              type="range"
              min={0}
              max={lastIndex}
              value={at}
              aria-label={`${texts.marker}: ${title}`}
              aria-valuetext={`${dayAt(at)}: ${series.map((item) => `${item.name} ${textAt(item)}`).join(', ')}`}
              onFocus={() => {
                isMarked.value = true;
              }}
              onBlur={() => {
                isMarked.value = false;
              }}
              onInput={(event) => {
                selected.value = Number(event.currentTarget.value);
              }}
            />
          </div>
          <div class="row apart scale">
            <span>{dayAt(0)}</span>
            <span>{dayAt(lastIndex)}</span>
          </div>
          <ul class="legend">
            {series.map((item, index) => (
              <li key={item.name}>
                <Sample item={item} index={index} kind={kind} />
                {item.name}
              </li>
            ))}
          </ul>
        </>
      )}
    </figure>
  );
};
