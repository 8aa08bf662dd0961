import { catchSignals } from './run/catch-signals.ts';
import { loadStart } from './run/load-start.ts';

const endSignal = catchSignals();
const { startServices } = await loadStart();
await startServices(['accounts'], endSignal);
