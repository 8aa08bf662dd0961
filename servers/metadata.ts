import { loadStart } from './run/load-start.ts';
import { catchSignals } from './run/signals.ts';

const endSignal = catchSignals();
const { startServices } = await loadStart();
await startServices(['metadata'], endSignal);
