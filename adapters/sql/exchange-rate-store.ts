import type { RateStore, RatesRecord } from '../../core/billing/ports.ts';
import type { Database } from './database.ts';
import { document, documentTable } from './table.ts';

/** The key `one` has the same value always, so the table has one row at the most. */
export const ratesTable = documentTable('rates', (rates: RatesRecord) => rates, { one: () => 1 });

const WRITE = `${ratesTable.insert} ON CONFLICT (one) DO UPDATE SET doc = excluded.doc`;

/** The last accepted exchange rates. */
export const makeSqlRateStore = ({ read, write }: Database): RateStore => ({
  read: async () => {
    const row = await read.get('SELECT doc FROM rates', []);
    return row && document<RatesRecord>(row);
  },
  write: async (rates) => {
    await write([{ sql: WRITE, params: ratesTable.row(rates) }]);
  },
});
