import type { FileOwners } from '../../core/files/ports.ts';
import { ACCOUNTS, type AccountDocument } from './documents/account-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { is } from './engine/scalars.ts';

/** Possible owners of files: the accounts in MongoDB. */
export const makeMongoFileOwners = ({ call, collection }: MongoDatabase): FileOwners => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  return {
    standing: async (userId) => {
      const projection = { listed: 1, barredAt: 1 };
      const document = await call(() => accounts.findOne({ _id: is(userId) }, { projection }));
      if (document === null || document.barredAt !== undefined) return 'unknown';
      return document.listed === true ? 'account' : 'deleted';
    },
  };
};
