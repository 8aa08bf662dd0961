import type { CustomerLinks } from '../../core/billing/ports.ts';
import type { MongoDatabase } from './client.ts';
import { changeOnce, insertOnce, type Written } from './once.ts';
import { is, text } from './scalars.ts';
import type { Indexes } from './schema.ts';

export const customerLinksIndexes = {
  billing_customers: [{ name: 'user', keys: { userId: 1 } }],
} satisfies Indexes;

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
      // Neither is done where the link was made, or taken away, in between.
      for (;;) {
        if ((await find(customerId)) === userId) return false;
        if (await insertOnce(database, links, { _id: customerId, userId })) return true;
        if (await changeOnce(database, links, anothers, { $set: { userId } })) return true;
      }
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
