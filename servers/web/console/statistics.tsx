import type { Pages } from '../base/load-area.ts';
import { go } from '../base/router.ts';
import { both, Load, lazyPiece } from '../kit/load.tsx';
import { Select } from '../kit/select.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { Statistics } from './response-types.ts';
import { c } from './text.ts';

const SPANS = [30, 90, 365];

/** The span that the address asks for. */
const spanAsked = (): number => SPANS.find((span) => String(span) === parameter('days')) ?? 30;

const loadCharts = lazyPiece(() => import('./statistics-charts.tsx'));

const StatisticsPage = () => {
  const { statistics } = c();
  const span = spanAsked();
  return (
    <Page
      aside={
        <Select
          name="days"
          label={statistics.days}
          value={String(span)}
          options={SPANS.map((days) => [String(days), statistics.span(days)] as const)}
          onChange={(days) => go(withQuery({ days: days === '30' ? null : days }))}
        />
      }
    >
      <Load
        requestKey={String(span)}
        request={() => both(read<Statistics>('statistics', { days: span }), loadCharts())}
      >
        {({ Charts, days }) => <Charts recorded={days} span={span} />}
      </Load>
    </Page>
  );
};

export const pages: Pages = { '/statistics': StatisticsPage };
