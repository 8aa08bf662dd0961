import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import type * as OtpAuth from 'otpauth';
import type { Totp } from '../../core/accounts/ports.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** One bit a pixel, grey, in the usual compression, filter and order of rows. */
const FORM = [1, 0, 0, 0, 0];
/** Pixels of a side of a module. */
const SCALE = 4;
/** Modules around the symbol that stay white (ISO/IEC 18004). */
const MARGIN = 4;

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};

/** A row of pixels, eight per byte, after a byte for its filter (none). A white pixel is 1. */
const rowOf = (modules: readonly boolean[]): Buffer => {
  const row = Buffer.alloc(1 + Math.ceil((modules.length * SCALE) / 8), 0xff);
  row[0] = 0;
  for (const [index, isDark] of modules.entries()) {
    if (isDark) row[1 + (index >> 1)] = (row[1 + (index >> 1)] ?? 0) & (index % 2 === 0 ? 0x0f : 0xf0);
  }
  return row;
};

/** A PNG of square modules, given row by row with their margin. */
const drawPng = (modules: readonly (readonly boolean[])[]): Buffer => {
  const side = uint32(modules.length * SCALE);
  const pixels = modules.flatMap((row) => Array<Buffer>(SCALE).fill(rowOf(row)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([side, side, Buffer.from(FORM)])),
    chunk('IDAT', deflateSync(Buffer.concat(pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** The text as a QR code, of which 15 % may be unreadable: a PNG. */
const drawQrCode = async (text: string): Promise<Buffer> => {
  const { encode } = await import('uqr');
  return drawPng(encode(text, { ecc: 'M', border: MARGIN }).data);
};

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
