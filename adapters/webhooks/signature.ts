import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedDelivery } from '../../core/billing/ports.ts';
import { CoreError } from '../../core/errors.ts';

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
/** Seconds that a delivery may be old, or ahead. */
const TOLERANCE = 300;
const TIMESTAMP = /^[0-9]{1,12}$/;
/** Printable ASCII: it stands in the store as a key. */
const ID = /^[\x21-\x7e]{1,256}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** 32 bytes, as every HMAC-SHA-256: texts of the same length can stand for 31 or 33. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;
/** Signatures that one header may offer: each costs a comparison. */
const MOST_SIGNATURES = 32;

/**
 * The keys that a secret may stand for: the bytes behind `whsec_`, as Standard Webhooks has it, and the bytes of the
 * whole text, as older secrets of Polar are used.
 */
export const keysOf = (secret: string): readonly Buffer[] => {
  const whole = Buffer.from(secret);
  const coded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return coded !== '' && BASE64.test(coded) ? [Buffer.from(coded, 'base64'), whole] : [whole];
};

const signatureOf = (key: Buffer, id: string, timestamp: string, raw: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest();

const refused = () =>
  new CoreError('forbidden', 'invalid_signature', 'The delivery is not signed by the provider.');

const headerOf = (headers: Headers, name: string, form: RegExp): string => {
  const value = headers[name];
  if (typeof value !== 'string' || !form.test(value)) throw refused();
  return value;
};

const offered = (header: string): readonly Buffer[] => {
  const parts = header.split(' ');
  if (parts.length > MOST_SIGNATURES) throw refused();
  return parts.flatMap((part) => {
    const [version, text = '', ...more] = part.split(',');
    return version === 'v1' && more.length === 0 && SIGNATURE.test(text) ? [Buffer.from(text, 'base64')] : [];
  });
};

/** Checks deliveries as Standard Webhooks 1.0.0 says: any one of the signatures, by any one of the secrets. */
export const makeReadDelivery = (secrets: readonly string[]) => {
  const keys = secrets.flatMap(keysOf);

  /** `now` in epoch milliseconds. Throws `forbidden` (`invalid_signature`). */
  return (headers: Headers, raw: Uint8Array, now: number): SignedDelivery => {
    const id = headerOf(headers, 'webhook-id', ID);
    const timestamp = headerOf(headers, 'webhook-timestamp', TIMESTAMP);
    const signatures = offered(headerOf(headers, 'webhook-signature', /^[\x20-\x7e]{1,4096}$/));
    if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE) throw refused();
    const right = keys.map((key) => signatureOf(key, id, timestamp, raw));
    // Every pair is compared, so that the time tells nothing of which was right.
    const matches = right.flatMap((one) => signatures.map((other) => timingSafeEqual(one, other)));
    if (!matches.includes(true)) throw refused();
    return { id, body: Buffer.from(raw).toString('utf8') };
  };
};

/** The headers of a delivery that is signed at `now` (epoch milliseconds) with a secret. */
export const signDelivery = (
  secret: string,
  { id, body }: SignedDelivery,
  now: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const timestamp = String(Math.floor(now / 1_000));
  const [key = Buffer.from(secret)] = keysOf(secret);
  const signature = signatureOf(key, id, timestamp, Buffer.from(body)).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};
