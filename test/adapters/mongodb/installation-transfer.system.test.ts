import { itTransfersBetweenStores } from '../../support/transfer-between-stores.ts';
import { mongoForTests } from './mongo-for-tests.ts';

describe('An installation that is transferred from SQLite to MongoDB and back', () => {
  const mongo = mongoForTests();
  itTransfersBetweenStores('MongoDB', async () => ({ MONGODB_URL: mongo.url(`moving-${process.pid}`) }));
});
