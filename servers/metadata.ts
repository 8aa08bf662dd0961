import { catchSignals } from './signals.ts';

const asked = catchSignals();
const { startServices } = await import('./start.ts');
await startServices(['metadata'], asked);
