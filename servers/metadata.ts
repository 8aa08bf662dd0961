import { catchSignals } from './run/signals.ts';

const asked = catchSignals();
const { startServices } = await import('./run/start.ts');
await startServices(['metadata'], asked);
