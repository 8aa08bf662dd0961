// Most people use a password.
export const loadPasskeys = () => import('./sign-in-by-passkey.ts');
export const loadFlows = () => import('./provider-redirect.ts');
