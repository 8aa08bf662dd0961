import { loginKeysInProcesses } from '../../core/accounts/login-keys/in-processes.ts';
import { mongoForTests } from './opened.ts';

describe('On one MongoDB server', () => {
  const mongo = mongoForTests();
  loginKeysInProcesses('MongoDB', () => ({ MONGODB_URL: mongo.url(`login-keys-${process.pid}`) }));
});
