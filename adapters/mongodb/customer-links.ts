import { setTimeout as pause } from 'node:timers/promises';
import type { CustomerLinks } from '../../core/billing/ports.ts';
import { remoteStoreUnavailable } from '../calls/store-calls.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce, type IdempotentDocument, insertOnce } from './engine/idempotent-writes.ts';
import { is, text } from './engine/scalars.ts';

/** Parallel calls for the same customer make one or two attempts fail. The limit ends the loop if a server contradicts itself. */
const ATTEMPTS = 8;
/** The longest pause before the second attempt; it doubles with each further attempt. */
const FIRST_PAUSE_MS = 10;

/** Links from the payment provider's customers to users, in MongoDB. */
export const makeMongoCustomerLinks = (database: MongoDatabase): CustomerLinks => {
  const { call, collection } = database;
  const links = collection<LinkDocument>('billing_customers');

  const find = async (customerId: string): Promise<string | undefined> =>
    (await call(() => links.findOne({ _id: is(customerId) })))?.userId;

  return {
    find,
    link: async (customerId, userId) => {
      const otherLink = { _id: is(customerId), userId: { $ne: text(userId) } };
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (attempt > 0) await pause(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
        if ((await find(customerId)) === userId) return false;
        if (await insertOnce(database, links, { _id: customerId, userId })) return true;
        // No match means that another call has made or removed the link in between.
        if (await changeOnce(database, links, otherLink, { $set: { userId } })) return true;
      }
      throw remoteStoreUnavailable();
    },
    remove: async (userId) => {
      await call(() => links.deleteMany({ userId: is(userId) }));
    },
  };
};

export interface LinkDocument extends IdempotentDocument {
  /** The customer's id. */
  readonly _id: string;
  readonly userId: string;
}
