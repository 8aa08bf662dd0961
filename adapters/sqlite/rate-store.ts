import type { KeptRates, RateStore } from '../../core/billing/ports.ts';
import type { Database } from './database.ts';
import { document } from './documents.ts';

const WRITE = 'INSERT INTO rates (one, doc) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET doc = ?1';

/** The exchange rates that were believed, in the embedded store. */
export const makeSqliteRateStore = ({ read, write }: Database): RateStore => ({
  read: async () => {
    const row = read.get('SELECT doc FROM rates', []);
    return row && document<KeptRates>(row);
  },
  write: async (rates) => {
    await write([{ sql: WRITE, params: [JSON.stringify(rates)] }]);
  },
});
