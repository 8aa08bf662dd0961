import { startServices } from './start.ts';

await startServices(['metadata']);
