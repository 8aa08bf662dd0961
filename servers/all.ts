import { startServices } from './start.ts';

await startServices(['accounts', 'metadata']);
