import { unavailable } from '../errors.ts';
import { constant, flag, number, object, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import { convertCents, majorUnits, makeCurrentRate } from './exchange-rates.ts';
import type { Cost } from './subscription.ts';

export const price = object(
  {
    amount: number({ description: 'Złoty, with two decimals', examples: [35.96] }),
    currency: constant('PLN'),
    interval: text({
      description: 'What the price is for: a `day`, `week`, `month` or `year`, or several, as `3 months`',
      examples: ['month'],
    }),
    exchange: object(
      {
        rate: number({ examples: [4] }),
        effectiveDate: text({ format: 'date', examples: ['2026-11-20'] }),
        stale: flag({
          description: 'Whether the bank has not confirmed the rate lately',
          examples: [false],
        }),
      },
      { description: 'The mid rate of the National Bank of Poland at which dollars were converted' },
    ),
  },
  { title: 'Price' },
);
/** The price of one interval in złoty, with the rate of the conversion from dollars. */
export type Price = TypeOf<typeof price>;

export type PriceOf = (cost: Cost) => Promise<Price>;

export const DOLLARS = 'usd';

export const isInDollars = ({ currency }: Pick<Cost, 'currency'>): boolean => currency === DOLLARS;

/** Converts to złoty. Throws `unavailable` (`price_unavailable`) for anything but dollars. */
export const makePriceOf = (deps: Deps): PriceOf => {
  const currentRate = makeCurrentRate(deps);
  return async (cost) => {
    const { amount, interval } = cost;
    if (!isInDollars(cost)) {
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
