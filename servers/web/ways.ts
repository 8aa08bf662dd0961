import { config } from './config.ts';

/** Whether people may sign in by passkeys here: the server takes them, and the browser has them. */
export const hasPasskeys =
  config.passkeys && typeof PublicKeyCredential === 'function' && 'credentials' in navigator;

// Loaded when one is used: most people come with a password.
export const loadPasskeys = () => import('./passkey.ts');
export const loadTrips = () => import('./trips.ts');
