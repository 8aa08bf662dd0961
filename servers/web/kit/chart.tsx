import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';
import { bars, ceiling, HEIGHT, type Kind, line, middle, type Series, WIDTH } from './chart-shape.ts';
import { Table } from './table.tsx';

interface ChartProps {
  readonly title: string;
  /** A sentence that sums the chart up. */
  readonly sentence: string;
  readonly kind: Kind;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly shownDay: (day: string) => string;
  readonly shownValue: (value: number | null) => string;
  readonly words: {
    readonly day: string;
    readonly marker: string;
    readonly showTable: string;
    readonly showChart: string;
  };
}

/** Lines differ by their dashes, too. */
const DASHES = ['none', '8 4', '2 4', '12 4 2 4', '4 2'];

const Drawing = ({
  kind,
  series,
  days,
  at,
}: Pick<ChartProps, 'kind' | 'series' | 'days'> & { at: number }) => {
  const plot = { kind, series, days: days.length };
  const top = ceiling(plot);
  return (
    <>
      {[0, HEIGHT / 2, HEIGHT].map((height) => (
        <line key={height} class="grid" x1="0" x2={WIDTH} y1={height} y2={height} />
      ))}
      <line class="marker" x1={middle(at, days.length)} x2={middle(at, days.length)} y1="0" y2={HEIGHT} />
      {series.map(({ name }, index) =>
        kind === 'lines' ? (
          <path
            key={name}
            class={`line series-${index + 1}`}
            d={line(plot, index, top)}
            stroke-dasharray={DASHES[index]}
          />
        ) : (
          <g key={name} class={`bar series-${index + 1}`}>
            {bars(plot, index, top).map((bar) => (
              <rect key={bar.x} {...bar} />
            ))}
          </g>
        ),
      )}
    </>
  );
};

const Sample = ({ index, kind }: { readonly index: number; readonly kind: Kind }) => (
  <svg class={`sample series-${index + 1}`} width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">
    {kind === 'lines' ? (
      <path class={`line series-${index + 1}`} d="M0 6H24" stroke-dasharray={DASHES[index]} />
    ) : (
      <rect class="bar" width="24" height="12" />
    )}
  </svg>
);

/**
 * Numbers by day, drawn by attributes alone. The marker follows the pointer and a slider, so that each number is
 * accessible by keyboard and screen reader.
 */
export const Chart = (props: ChartProps) => {
  const { title, sentence, kind, days, series, shownDay, shownValue, words } = props;
  const lastIndex = days.length - 1;
  const selected = useSignal(lastIndex);
  const asTable = useSignal(false);
  const at = Math.min(selected.value, lastIndex);
  const day = shownDay(days[at] ?? '');
  const textAt = ({ values }: Series, index = at) => shownValue(values[index] ?? null);
  const select = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * days.length);
    selected.value = Math.max(0, Math.min(lastIndex, place));
  };
  return (
    <figure class="chart">
      <div class="row apart">
        <h2>{title}</h2>
        <Button
          kind="link"
          label={`${asTable.value ? words.showChart : words.showTable}: ${title}`}
          onPress={() => {
            asTable.value = !asTable.value;
          }}
        >
          {asTable.value ? words.showChart : words.showTable}
        </Button>
      </div>
      <figcaption>{sentence}</figcaption>
      {asTable.value ? (
        <Table
          label={title}
          keyOf={(index) => String(index)}
          rows={days.map((_, index) => lastIndex - index)}
          columns={[
            { title: words.day, cell: (index) => days[index] },
            ...series.map((item) => ({
              title: item.name,
              isNumber: true,
              cell: (index: number) => textAt(item, index),
            })),
          ]}
        />
      ) : (
        <>
          <p class="scale">{shownValue(ceiling({ kind, series, days: days.length }))}</p>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            aria-hidden="true"
            onPointerMove={select}
            onPointerDown={select}
          >
            <Drawing kind={kind} series={series} days={days} at={at} />
          </svg>
          <div class="row apart scale">
            <span>{shownDay(days[0] ?? '')}</span>
            <span>{shownDay(days[lastIndex] ?? '')}</span>
          </div>
          <input
            type="range"
            min={0}
            max={lastIndex}
            value={at}
            aria-label={`${words.marker}: ${title}`}
            aria-valuetext={`${day}: ${series.map((item) => `${item.name} ${textAt(item)}`).join(', ')}`}
            onInput={(event) => {
              selected.value = Number(event.currentTarget.value);
            }}
          />
          <ul class="legend">
            <li class="day">{day}</li>
            {series.map((item, index) => (
              <li key={item.name}>
                <Sample index={index} kind={kind} />
                {item.name} <b>{textAt(item)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </figure>
  );
};
