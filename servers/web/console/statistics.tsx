import { Load } from '../kit/load.tsx';
import { Pick } from '../kit/pick.tsx';
import type { Pages } from '../parts.ts';
import { go } from '../router.ts';
import { read } from './api.ts';
import { Charts } from './figures/charts.tsx';
import { asked, withQuery } from './list.tsx';
import { Page } from './page.tsx';
import type { Day } from './shapes.ts';
import { c } from './text.ts';

const SPANS = [30, 90, 365];

/** The span that the address asks for. */
const spanAsked = (): number => SPANS.find((span) => String(span) === asked('days')) ?? 30;

const Statistics = () => {
  const { statistics } = c();
  const span = spanAsked();
  return (
    <Page
      aside={
        <Pick
          name="days"
          label={statistics.days}
          value={String(span)}
          options={SPANS.map((one) => [String(one), statistics.span(one)] as const)}
          onChange={(days) => go(withQuery({ days: days === '30' ? null : days }))}
        />
      }
    >
      <Load
        what={String(span)}
        from={() => read<{ readonly days: readonly Day[] }>('statistics', { days: span })}
      >
        {({ days }) => <Charts found={days} span={span} />}
      </Load>
    </Page>
  );
};

export const pages: Pages = { '/statistics': Statistics };
