import type { Rate, RateSource } from '../../core/billing/ports.ts';
import { unavailable } from '../../core/errors.ts';
import { readTime } from '../../core/iso-times.ts';
import { readText } from '../calls/read-text.ts';
import { traceHeaders } from '../calls/trace-headers.ts';

const DEADLINE_MS = 5_000;
/** A response has about two hundred. */
const MOST_RESPONSE_BYTES = 65_536;
const PATH = '/api/exchangerates/rates/a/usd/?format=json';
const DAY = /^\d{4}-\d{2}-\d{2}$/;
// The number as written: JSON.parse may round it.
const MID = /"mid"\s*:\s*(\d{1,4}(?:\.\d{1,8})?)\s*[,}]/;

// Days are compared as texts: an impossible one, such as 9999-99-99, could stay later than all others.
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && readTime(value) !== undefined;

const noRate = () => unavailable('rate_unavailable', 'The exchange rate is temporarily unavailable.');

interface Table {
  readonly rates?: readonly { readonly effectiveDate?: unknown; readonly mid?: unknown }[];
}

const readRate = (text: string): Rate => {
  const table = JSON.parse(text) as Table | null;
  const [rate, ...more] = Array.isArray(table?.rates) ? table.rates : [];
  const mid = MID.exec(text)?.[1];
  const day = rate?.effectiveDate;
  if (mid === undefined || more.length > 0 || !isDay(day)) throw noRate();
  // MID may have matched another member of the response than the rate's own.
  if (Number(mid) !== rate?.mid || Number(mid) <= 0) throw noRate();
  return { mid, effectiveDate: day };
};

/** The mid rate of the dollar by table A of the National Bank of Poland (https://api.nbp.pl). `url` is scheme and host. */
export const makeNbpRateSource = ({ url }: { readonly url: string }): RateSource => ({
  latest: async () => {
    try {
      const response = await fetch(new URL(PATH, url), {
        headers: { ...traceHeaders(), Accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (!response.ok) throw noRate();
      return readRate(await readText(response, MOST_RESPONSE_BYTES, noRate));
    } catch {
      throw noRate();
    }
  },
});
