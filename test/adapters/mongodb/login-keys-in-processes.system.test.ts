import { loginKeysInProcesses } from '../../core/accounts/login-keys/in-processes.ts';
import { mongoForTests, patiently } from './opened.ts';

describe('On one MongoDB server', () => {
  const mongo = mongoForTests();
  loginKeysInProcesses('MongoDB', () => ({
    MONGODB_URL: patiently(mongo.url(`login-keys-${process.pid}`)),
  }));
});
