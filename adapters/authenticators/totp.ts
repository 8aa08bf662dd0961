import { createRequire } from 'node:module';
import type * as OtpAuth from 'otpauth';
import type { Totp } from '../../core/accounts/ports.ts';
import { drawQrCode } from './qr-code.ts';

// Loaded at the first use, since few calls need it. By `require`, since `step` is synchronous.
const otpAuth = (): typeof OtpAuth => {
  const require = createRequire(import.meta.url);
  return require('otpauth');
};

const SECRET_BYTES = 20;
const SIX_DIGITS = /^[0-9]{6}$/;
const ALGORITHM = { algorithm: 'SHA1', digits: 6, period: 30 };

// A copy: the view may be of a part of a larger buffer.
const toSecret = (secret: Uint8Array) => new (otpAuth().Secret)({ buffer: new Uint8Array(secret).buffer });

/** The address an authenticator app reads from the QR code (Google Authenticator's key URI format). */
export const keyUri = (issuer: string, accountName: string, secret: Uint8Array): string =>
  new (otpAuth().TOTP)({ ...ALGORITHM, issuer, label: accountName, secret: toSecret(secret) }).toString();

/** TOTP under the name that authenticator apps show, `issuer`. */
export const makeTotp = ({ issuer }: { readonly issuer: string }): Totp => ({
  secretBytes: SECRET_BYTES,

  base32: (secret) => toSecret(secret).base32,

  qrCode: async (secret, accountName) => {
    const png = await drawQrCode(keyUri(issuer, accountName, secret));
    return `data:image/png;base64,${png.toString('base64')}`;
  },

  step: (secret, code, now, window) => {
    if (!SIX_DIGITS.test(code)) return undefined;
    const { TOTP } = otpAuth();
    const delta = TOTP.validate({
      ...ALGORITHM,
      secret: toSecret(secret),
      token: code,
      timestamp: now,
      window,
    });
    return delta === null ? undefined : TOTP.counter({ period: ALGORITHM.period, timestamp: now }) + delta;
  },
});
