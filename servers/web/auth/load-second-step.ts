import { lazyPiece } from '../kit/load.tsx';

// Loaded on demand: most accounts have no second factor.
export const loadSecondStep = lazyPiece(() => import('./second-step.tsx'));
