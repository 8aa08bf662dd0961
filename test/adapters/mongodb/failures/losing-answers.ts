import { MongoNetworkError } from 'mongodb';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';

/** A database that executes each call, runs `meanwhile`, and then loses the first answer. */
export const losingAnswers = (
  database: MongoDatabase,
  meanwhile: () => Promise<void> = async () => undefined,
): MongoDatabase => ({
  ...database,
  call: (work) =>
    database.call(async (attempt, until) => {
      const answer = await work(attempt, until);
      if (attempt > 0) return answer;
      await meanwhile();
      throw new MongoNetworkError('cut');
    }),
});
