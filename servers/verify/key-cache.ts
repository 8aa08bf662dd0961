import { importJWK } from 'jose/key/import';
import { unavailable } from './verify-error.ts';

type Key = Awaited<ReturnType<typeof importJWK>>;
type Keys = ReadonlyMap<string, Key>;

// All in milliseconds. A key that was retired is believed until the set is no longer fresh.
const FRESH = 60_000;
/** How long the last set is used while no newer one can be fetched. */
const USABLE = 3_600_000;
/** Between the starts of two fetches; while there is no usable set, as when both services start, the short one. */
const COOL_DOWN = 5_000;
const SHORT_COOL_DOWN = 1_000;

/** On such platforms a request must not wait for what another request began. */
const isRequestBound = () => 'WebSocketPair' in globalThis || 'EdgeRuntime' in globalThis;

/** The keys of a JWK set that can have signed our tokens. Throws if there is none, as with what is no set. */
export const readKeys = async (set: unknown): Promise<Keys> => {
  const { keys }: Readonly<Record<string, unknown>> = Object(set);
  const read = new Map<string, Key>();
  for (const jwk of Array.isArray(keys) ? keys : []) {
    const { crv, x, y, kid }: Readonly<Record<string, unknown>> = Object(jwk);
    if (crv !== 'P-256' || typeof kid !== 'string') continue;
    read.set(kid, await importJWK({ kty: 'EC', crv, x: String(x), y: String(y) }, 'ES256'));
  }
  if (read.size === 0) throw new Error('The JWK set has no key for ES256.');
  return read;
};

/**
 * Finds keys in a set that `load` fetches: at first, when the held set is no longer fresh, and for a key id that it
 * lacks; but not again before the cool-down is over, whoever asks for what. Concurrent callers share one fetch.
 */
export const makeKeyCache = (load: () => Promise<Keys>) => {
  let keys: Keys = new Map();
  // The starts of the last good fetch and of the last one.
  let loaded = Number.NEGATIVE_INFINITY;
  let tried = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  let failure: unknown;
  const age = (since: number) => performance.now() - since;

  const refresh = async (): Promise<void> => {
    const start = performance.now();
    tried = start;
    try {
      const found = await load();
      // A fetch that began earlier and took longer knows less.
      if (start < loaded) return;
      keys = found;
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
      const held = isUsable ? keys.get(kid) : undefined;
      if (held !== undefined && age(loaded) < FRESH) return held;
      const cooling = (isUsable ? COOL_DOWN : SHORT_COOL_DOWN) - age(tried);
      if (held !== undefined && cooling > 0) return held;
      if (pending === undefined && cooling > 0) {
        if (loaded === tried) return undefined;
        throw unavailable('The keys could not be fetched.', cooling / 1000, failure);
      }
      if (pending === undefined || isRequestBound()) pending = refresh();
      try {
        await pending;
      } catch (error) {
        if (held === undefined) throw error;
      }
      return keys.get(kid);
    },
  };
};
