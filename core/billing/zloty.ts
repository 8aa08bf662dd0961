import { unavailable } from '../errors.ts';
import type { Deps } from './deps.ts';
import { convertCents, majorUnits, makeCurrentRate } from './rates.ts';

/** The price of one interval in złoty, with the rate of the conversion from dollars. */
export interface Price {
  readonly amount: number;
  readonly currency: 'PLN';
  readonly interval: string;
  readonly exchange: { readonly rate: number; readonly effectiveDate: string; readonly stale: boolean };
}

/** The cost of one interval, in cents of a currency (ISO 4217, in lower case). */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  readonly interval: string;
}

export type PriceOf = (cost: Cost) => Promise<Price>;

/** Converts to złoty. Throws `unavailable` (`price_unavailable`) for anything but dollars. */
export const makePriceOf = (deps: Deps): PriceOf => {
  const currentRate = makeCurrentRate(deps);
  return async ({ amount, currency, interval }) => {
    if (currency !== 'usd') {
      throw unavailable('price_unavailable', 'The price is not in dollars and cannot be converted.', 3_600);
    }
    const { mid, effectiveDate, stale } = await currentRate();
    return {
      amount: majorUnits(convertCents(amount, mid)),
      currency: 'PLN',
      interval,
      exchange: { rate: Number(mid), effectiveDate, stale },
    };
  };
};
