// Loaded on demand: most people use a password.
export const loadPasskeySignIn = () => import('./sign-in-by-passkey.ts');
export const loadFlows = () => import('./provider-redirect.ts');
