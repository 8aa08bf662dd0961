import { lazyPiece } from '../kit/load.tsx';

// Most people use a password.
export const loadPasskeys = () => import('./sign-in-by-passkey.ts');
export const loadFlows = () => import('./provider-redirect.ts');

// Most accounts have no second factor.
export const loadSecondStep = lazyPiece(() => import('./second-step.tsx'));
