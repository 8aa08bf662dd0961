import type { KeptRates, RateStore } from '../../core/billing/ports.ts';
import { kept } from './records.ts';

/** The last accepted exchange rates, in memory. */
export const makeMemoryRateStore = (): RateStore => {
  let rates: KeptRates | undefined;
  return {
    read: async () => rates,
    write: async (next) => {
      rates = kept(next);
    },
  };
};
