import { setTimeout as pause } from 'node:timers/promises';
import type { CustomerLinks } from '../../core/billing/ports.ts';
import type { MongoDatabase } from './client.ts';
import { storeUnavailable } from './failures.ts';
import { changeOnce, insertOnce, type Written } from './idempotent-writes.ts';
import { is, text } from './scalars.ts';
import type { Indexes } from './schema.ts';

export const customerLinksIndexes = {
  billing_customers: [{ name: 'user', keys: { userId: 1 } }],
} satisfies Indexes;

/** Others that link the same customer are in the way once or twice; more often only a server that contradicts itself is. */
const ATTEMPTS = 8;
/** Milliseconds before the second attempt, at the most; then twice that for each. */
const FIRST_PAUSE = 10;

/** Which customers of the provider are which users, in MongoDB. */
export const makeMongoCustomerLinks = (database: MongoDatabase): CustomerLinks => {
  const { call, collection } = database;
  const links = collection<LinkDocument>('billing_customers');

  const find = async (customerId: string): Promise<string | undefined> =>
    (await call(() => links.findOne({ _id: is(customerId) })))?.userId;

  return {
    find,
    link: async (customerId, userId) => {
      const anothers = { _id: is(customerId), userId: { $ne: text(userId) } };
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (attempt > 0) await pause(Math.random() * FIRST_PAUSE * 2 ** (attempt - 1));
        if ((await find(customerId)) === userId) return false;
        if (await insertOnce(database, links, { _id: customerId, userId })) return true;
        // Nor is this done where the link was made, or taken away, in between.
        if (await changeOnce(database, links, anothers, { $set: { userId } })) return true;
      }
      throw storeUnavailable();
    },
    remove: async (userId) => {
      await call(() => links.deleteMany({ userId: is(userId) }));
    },
  };
};

export interface LinkDocument extends Written {
  /** The customer's id. */
  readonly _id: string;
  readonly userId: string;
}
