import type { CustomerLinks } from '../../core/billing/ports.ts';
import { changesOf, type Database, text } from './database.ts';

const FIND = 'SELECT user_id FROM billing_customers WHERE customer_id = ?';
const LINK = `
  INSERT INTO billing_customers (customer_id, user_id) VALUES (?1, ?2)
  ON CONFLICT (customer_id) DO UPDATE SET user_id = ?2 WHERE billing_customers.user_id <> ?2`;

/** Links from the payment provider's customers to users. */
export const makeSqlCustomerLinks = ({ read, write }: Database): CustomerLinks => {
  const find = async (customerId: string): Promise<string | undefined> => {
    const row = await read.get(FIND, [text(customerId)]);
    return row && String(row.user_id);
  };

  return {
    find,
    link: async (customerId, userId) => {
      // Most calls name a known link, and are spared the write.
      if ((await find(customerId)) === text(userId)) return false;
      return changesOf(await write([{ sql: LINK, params: [text(customerId), text(userId)] }])) > 0;
    },
    remove: async (userId) => {
      await write([{ sql: 'DELETE FROM billing_customers WHERE user_id = ?', params: [text(userId)] }]);
    },
  };
};
