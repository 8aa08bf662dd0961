import { MongoNetworkError } from 'mongodb';
import type { MongoDatabase } from '../../../adapters/mongodb/client.ts';

/** A database that does what it is asked, and whose first answer to each call is lost. */
export const losingAnswers = (database: MongoDatabase): MongoDatabase => ({
  ...database,
  call: (work) =>
    database.call(async (attempt) => {
      const answer = await work(attempt);
      if (attempt === 0) throw new MongoNetworkError('cut');
      return answer;
    }),
});
