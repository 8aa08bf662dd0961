import { importJWK } from 'jose/key/import';
import { unavailable } from './verify-error.ts';

type Key = Awaited<ReturnType<typeof importJWK>>;
type Keys = ReadonlyMap<string, Key>;

/** The age up to which a set is used without a fetch. A retired key is trusted that long, or while fetching fails. */
const FRESH_MS = 60_000;
/** The age up to which a set is used while fetching fails. */
const USABLE_MS = 3_600_000;
/** The least time between the starts of two fetches; the short one while there is no usable set, as when both services start. */
const COOL_DOWN_MS = 5_000;
const SHORT_COOL_DOWN_MS = 1_000;

/** Whether this is Cloudflare Workers or Vercel's edge, where a request must not wait for work that another request began. */
const isRequestBound = () => 'WebSocketPair' in globalThis || 'EdgeRuntime' in globalThis;

/** The keys of a JWK set that can have signed access tokens. Throws if the set has no such key or is malformed. */
export const readKeys = async (keySet: unknown): Promise<Keys> => {
  // `Object` makes an object of `null` and plain values, too, so that destructuring never throws.
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
 * Finds keys in a stored set. `load` fetches the set when there is none yet, when it is no longer fresh, and when it lacks a
 * key id, but only after the cool-down has passed. Concurrent callers share one fetch; on a request-bound platform each of them
 * makes its own.
 */
export const makeKeyCache = (load: () => Promise<Keys>) => {
  let keys: Keys = new Map();
  /** When the last successful fetch began. */
  let loadedAt = Number.NEGATIVE_INFINITY;
  /** When the last fetch began, even if it failed. */
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
      if (start < loadedAt) return;
      keys = fetched;
      loadedAt = start;
    } catch (error) {
      failure = error;
      throw unavailable('The keys cannot be fetched.', SHORT_COOL_DOWN_MS / 1000, error);
    } finally {
      pending = undefined;
    }
  };

  return {
    /** Undefined for an id that the newest set lacks. Throws `unavailable` if no usable set has it and none can be fetched. */
    find: async (kid: string): Promise<Key | undefined> => {
      const isUsable = age(loadedAt) < USABLE_MS;
      const key = isUsable ? keys.get(kid) : undefined;
      if (key !== undefined && age(loadedAt) < FRESH_MS) return key;
      const coolDownLeft = (isUsable ? COOL_DOWN_MS : SHORT_COOL_DOWN_MS) - age(attemptedAt);
      // The newest fetch began a moment ago and has failed or is still pending: the older key is still usable.
      if (key !== undefined && coolDownLeft > 0) return key;
      if (pending === undefined && coolDownLeft > 0) {
        // The last fetch succeeded, and its set lacks the id.
        if (loadedAt === attemptedAt) return undefined;
        throw unavailable('The keys could not be fetched.', coolDownLeft / 1000, failure);
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
