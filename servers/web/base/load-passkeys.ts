import { config } from './config.ts';

/** Whether passkeys are on and the browser supports them. */
export const hasPasskeys =
  config.passkeys && typeof PublicKeyCredential === 'function' && 'credentials' in navigator;

// Loaded on demand: most people use a password.
export const loadPasskeys = () => import('./passkey-ceremony.ts');
