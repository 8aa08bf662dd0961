import { loadStart } from './run/load-start.ts';
import { catchSignals } from './run/signals.ts';

const asked = catchSignals();
const { startServices } = await loadStart();
await startServices(['accounts'], asked);
