import { itTransfersBetweenStores } from '../../support/transfer-between-stores.ts';
import { postgresForTests } from './postgres-for-tests.ts';

describe('An installation that is transferred from SQLite to PostgreSQL and back', () => {
  const { createDatabase } = postgresForTests();
  itTransfersBetweenStores('PostgreSQL', async () => ({ POSTGRES_URL: await createDatabase() }));
});
