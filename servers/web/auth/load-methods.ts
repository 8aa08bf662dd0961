// Loaded on demand: most people use a password.
export const loadPasskeys = () => import('./passkey.ts');
export const loadFlows = () => import('./flow.ts');
