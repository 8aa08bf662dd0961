import { loginKeysInProcesses } from './in-processes.ts';

loginKeysInProcesses('SQLite', () => ({}));
