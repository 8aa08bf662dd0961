import { randomBytes } from 'node:crypto';
import { invalid } from '../../core/errors.ts';
import { isRecord, parseJson } from '../files/json.ts';
import { WrongFile } from '../files/watched-file.ts';

export interface MasterKey {
  readonly id: string;
  /** 32 bytes in base64. */
  readonly key: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When the key was retired. It no longer opens anything, but stays in the ring for a while, in case that was a mistake. */
  readonly retiredAt?: string;
}

/** The content of a master key file. */
export interface KeyRing {
  /** The id of the key that seals. */
  readonly current: string;
  readonly keys: readonly MasterKey[];
}

const KEY_BYTES = 32;
/** The time for which a retired key stays in the ring. */
const RETIRED_KEY_LIFE_MS = 30 * 86_400_000;

/** The form of a key id: sealed text has it between dots. */
const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/;

const makeKey = (now: number): MasterKey => ({
  id: randomBytes(8).toString('hex'),
  key: randomBytes(KEY_BYTES).toString('base64'),
  createdAt: new Date(now).toISOString(),
});

/** A first ring, with one key. `now` in epoch milliseconds, as below. */
export const makeKeyRing = (now: number): KeyRing => {
  const key = makeKey(now);
  return { current: key.id, keys: [key] };
};

/** Adds a new key that seals from now on. The others still open, unless they are retired. */
export const rotateKeyRing = (ring: KeyRing, now: number): KeyRing => {
  const key = makeKey(now);
  return { current: key.id, keys: [...ring.keys, key] };
};

/**
 * Retires a key: it opens nothing any more. Once 30 days have passed, the next retirement of a key removes it from the ring.
 * Throws `invalid` (`unknown_key`, `current_key`).
 */
export const retireKey = (ring: KeyRing, id: string, now: number): KeyRing => {
  if (!ring.keys.some((key) => key.id === id))
    throw invalid('unknown_key', 'There is no such key in the ring.');
  if (id === ring.current) throw invalid('current_key', 'This key seals now: rotate first.');
  const retiredAt = new Date(now).toISOString();
  const staysInRing = (key: MasterKey) =>
    key.retiredAt === undefined || Date.parse(key.retiredAt) > now - RETIRED_KEY_LIFE_MS;
  return {
    current: ring.current,
    // A key that was retired before keeps its time.
    keys: ring.keys.map((key) => (key.id === id ? { retiredAt, ...key } : key)).filter(staysInRing),
  };
};

const isKeyText = (value: unknown): value is string => {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === value;
};

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

const readKey = (value: unknown): MasterKey => {
  if (!isRecord(value)) throw new WrongFile('has a key that is not an object');
  const { id, key, createdAt, retiredAt } = value;
  if (typeof id !== 'string' || !KEY_ID.test(id)) throw new WrongFile('has a key without a proper id');
  if (!isKeyText(key)) throw new WrongFile('has a key that is not 32 bytes in base64');
  if (!isTime(createdAt) || !(retiredAt === undefined || isTime(retiredAt))) {
    throw new WrongFile('has a key whose createdAt or retiredAt is not a time');
  }
  return { id, key, createdAt, ...(retiredAt === undefined ? {} : { retiredAt }) };
};

/** Reads the content of a master key file. Throws `WrongFile`. */
export const parseKeyRing = (text: string): KeyRing => {
  const ring = parseJson(text);
  if (!isRecord(ring) || !Array.isArray(ring.keys)) throw new WrongFile('is not a key ring');
  const keys = ring.keys.map(readKey);
  if (new Set(keys.map((key) => key.id)).size < keys.length) throw new WrongFile('has a key id twice');
  const current = keys.find((key) => key.id === ring.current && key.retiredAt === undefined);
  if (current === undefined) throw new WrongFile('names no live key as the current one');
  return { current: current.id, keys };
};
