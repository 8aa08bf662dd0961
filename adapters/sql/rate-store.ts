import type { KeptRates, RateStore } from '../../core/billing/ports.ts';
import type { Database } from './database.ts';
import { document, documentTable } from './table.ts';

export const ratesTable = documentTable('rates', (rates: KeptRates) => rates, { one: () => 1 });

const WRITE = `${ratesTable.insert} ON CONFLICT (one) DO UPDATE SET doc = excluded.doc`;

/** The last accepted exchange rates. */
export const makeSqlRateStore = ({ read, write }: Database): RateStore => ({
  read: async () => {
    const row = await read.get('SELECT doc FROM rates', []);
    return row && document<KeptRates>(row);
  },
  write: async (rates) => {
    await write([{ sql: WRITE, params: ratesTable.row(rates) }]);
  },
});
