import { loginKeysInProcesses } from '../../core/accounts/login-keys/in-processes.ts';
import { postgresForTests } from './postgres-for-tests.ts';

describe('Processes on one PostgreSQL server', () => {
  const { createDatabase } = postgresForTests();
  let url = '';
  before(async () => {
    url = await createDatabase();
  });
  loginKeysInProcesses('PostgreSQL', () => ({ POSTGRES_URL: url }));
});
