import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedDelivery } from '../../core/billing/ports.ts';
import { CoreError } from '../../core/errors.ts';

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
/** The time by which the timestamp of a delivery may differ from now. */
const CLOCK_TOLERANCE_SECONDS = 300;
const TIMESTAMP = /^[0-9]{1,12}$/;
/** Printable ASCII, since the id is a key in the store. */
const ID = /^[\x21-\x7e]{1,256}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Base64 of exactly 32 bytes, the length of an HMAC-SHA-256: `timingSafeEqual` throws for other lengths. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;
/** Signatures in one header: each costs a comparison with each key. */
const MOST_SIGNATURES = 32;

/** The possible keys: the bytes after `whsec_` (Standard Webhooks), and the bytes of the whole text (Polar's older secrets). */
export const keysOf = (secret: string): readonly Buffer[] => {
  const bytes = Buffer.from(secret);
  const encodedKey = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return encodedKey !== '' && BASE64.test(encodedKey) ? [Buffer.from(encodedKey, 'base64'), bytes] : [bytes];
};

const signatureOf = (key: Buffer, id: string, timestamp: string, raw: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest();

const invalidSignature = () =>
  new CoreError('forbidden', 'invalid_signature', 'The delivery is not signed by the provider.');

const headerOf = (headers: Headers, name: string, form: RegExp): string => {
  const value = headers[name];
  if (typeof value !== 'string' || !form.test(value)) throw invalidSignature();
  return value;
};

const readSignatures = (header: string): readonly Buffer[] => {
  const parts = header.split(' ');
  if (parts.length > MOST_SIGNATURES) throw invalidSignature();
  return parts.flatMap((part) => {
    const [version, text = '', ...more] = part.split(',');
    return version === 'v1' && more.length === 0 && SIGNATURE.test(text) ? [Buffer.from(text, 'base64')] : [];
  });
};

/** Checks deliveries by Standard Webhooks 1.0.0: one of the signatures must match one of the secrets. */
export const makeReadDelivery = (secrets: readonly string[]) => {
  const keys = secrets.flatMap(keysOf);

  /** `now` in epoch milliseconds. Throws `forbidden` (`invalid_signature`). */
  return (headers: Headers, raw: Uint8Array, now: number): SignedDelivery => {
    const id = headerOf(headers, 'webhook-id', ID);
    const timestamp = headerOf(headers, 'webhook-timestamp', TIMESTAMP);
    const signatures = readSignatures(headerOf(headers, 'webhook-signature', /^[\x20-\x7e]{1,4096}$/));
    if (Math.abs(now / 1_000 - Number(timestamp)) > CLOCK_TOLERANCE_SECONDS) throw invalidSignature();
    const expected = keys.map((key) => signatureOf(key, id, timestamp, raw));
    // All pairs are compared, so that the time does not reveal which pair matched.
    const matches = expected.flatMap((mac) => signatures.map((signature) => timingSafeEqual(mac, signature)));
    if (!matches.includes(true)) throw invalidSignature();
    return { id, body: Buffer.from(raw).toString('utf8') };
  };
};

/** The headers of a delivery, signed with a secret at `now` (epoch milliseconds). */
export const signDelivery = (
  secret: string,
  { id, body }: SignedDelivery,
  now: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const timestamp = String(Math.floor(now / 1_000));
  // The first key: that of Standard Webhooks if the secret has one.
  const [key = Buffer.from(secret)] = keysOf(secret);
  const signature = signatureOf(key, id, timestamp, Buffer.from(body)).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};
