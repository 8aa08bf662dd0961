import { loginKeysInProcesses } from '../../core/accounts/login-keys/in-processes.ts';
import { mongoForTests, withLongTimeouts } from './mongo-for-tests.ts';

describe('Processes on one MongoDB server', () => {
  const mongo = mongoForTests();
  loginKeysInProcesses('MongoDB', () => ({
    MONGODB_URL: withLongTimeouts(mongo.url(`login-keys-${process.pid}`)),
  }));
});
