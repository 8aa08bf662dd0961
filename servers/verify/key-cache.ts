import { importJWK } from 'jose/key/import';
import { unavailable } from './verify-error.ts';

type Key = Awaited<ReturnType<typeof importJWK>>;
type Keys = ReadonlyMap<string, Key>;

// All in milliseconds. A retired key is trusted until the set is no longer fresh.
const FRESH = 60_000;
/** How long the last set is used while fetching fails. */
const USABLE = 3_600_000;
/**
 * Between the starts of two fetches. The short one applies while there is no usable set, as when both services start.
 */
const COOL_DOWN = 5_000;
const SHORT_COOL_DOWN = 1_000;

/** On such platforms a request must not wait for what another request began. */
const isRequestBound = () => 'WebSocketPair' in globalThis || 'EdgeRuntime' in globalThis;

/** The keys of a JWK set that can have signed our tokens. Throws if the set has no such key or is malformed. */
export const readKeys = async (keySet: unknown): Promise<Keys> => {
  const { keys }: Readonly<Record<string, unknown>> = Object(keySet);
  const imported = new Map<string, Key>();
  for (const jwk of Array.isArray(keys) ? keys : []) {
    const { crv, x, y, kid }: Readonly<Record<string, unknown>> = Object(jwk);
    if (crv !== 'P-256' || typeof kid !== 'string') continue;
    imported.set(kid, await importJWK({ kty: 'EC', crv, x: String(x), y: String(y) }, 'ES256'));
  }
  if (imported.size === 0) throw new Error('The JWK set has no key for ES256.');
  return imported;
};

/**
 * Finds keys in a set that `load` fetches: at first, when the stored set is no longer fresh, and for a key id that it
 * lacks, but never before the cool-down has passed. Concurrent callers share one fetch.
 */
export const makeKeyCache = (load: () => Promise<Keys>) => {
  let keys: Keys = new Map();
  // The starts of the last successful fetch and of the last fetch.
  let loaded = Number.NEGATIVE_INFINITY;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  let failure: unknown;
  const age = (since: number) => performance.now() - since;

  const refresh = async (): Promise<void> => {
    const start = performance.now();
    attemptedAt = start;
    try {
      const fetched = await load();
      // Ignores the result of a slow fetch that began before a newer one.
      if (start < loaded) return;
      keys = fetched;
      loaded = start;
    } catch (error) {
      failure = error;
      throw unavailable('The keys cannot be fetched.', SHORT_COOL_DOWN / 1000, error);
    } finally {
      pending = undefined;
    }
  };

  return {
    /** Undefined for an id that the newest set lacks. Throws `unavailable` if the newest set cannot be known. */
    find: async (kid: string): Promise<Key | undefined> => {
      const isUsable = age(loaded) < USABLE;
      const key = isUsable ? keys.get(kid) : undefined;
      if (key !== undefined && age(loaded) < FRESH) return key;
      const cooling = (isUsable ? COOL_DOWN : SHORT_COOL_DOWN) - age(attemptedAt);
      if (key !== undefined && cooling > 0) return key;
      if (pending === undefined && cooling > 0) {
        if (loaded === attemptedAt) return undefined;
        throw unavailable('The keys could not be fetched.', cooling / 1000, failure);
      }
      if (pending === undefined || isRequestBound()) pending = refresh();
      try {
        await pending;
      } catch (error) {
        if (key === undefined) throw error;
      }
      return keys.get(kid);
    },
  };
};
