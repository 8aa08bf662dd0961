import type { Pages } from '../base/load-area.ts';
import { go } from '../base/router.ts';
import { joinOutcomes, Load, lazyPiece } from '../kit/load.tsx';
import { Select } from '../kit/select.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { Statistics } from './response-types.ts';
import { c } from './text.ts';

/** The spans that can be chosen, in days. */
const SPANS = [30, 90, 365];

const DEFAULT_SPAN = 30;

const loadCharts = lazyPiece(() => import('./statistics-charts.tsx'));

const StatisticsPage = () => {
  const { statistics } = c();
  const span = SPANS.find((days) => String(days) === parameter('days')) ?? DEFAULT_SPAN;
  return (
    <Page
      aside={
        <Select
          name="days"
          label={statistics.days}
          value={String(span)}
          options={SPANS.map((days) => [String(days), statistics.span(days)] as const)}
          onChange={(days) => go(withQuery({ days: days === String(DEFAULT_SPAN) ? null : days }))}
        />
      }
    >
      <Load
        requestKey={String(span)}
        request={() => joinOutcomes(read<Statistics>('statistics', { days: span }), loadCharts())}
      >
        {({ Charts, days: recordedDays }) => <Charts recorded={recordedDays} span={span} />}
      </Load>
    </Page>
  );
};

export const pages: Pages = { '/statistics': StatisticsPage };
