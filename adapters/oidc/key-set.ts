import { isRecord } from '../files/json.ts';
import type { Requests } from './http-requests.ts';
import { invalidAnswer } from './refusal.ts';

/** The time for which a key set is used without fetching it again. */
const FRESH_MS = 300_000;
/**
 * For a token with an unknown `kid`, a set that is older than this is fetched again. A younger set has every key in use, since
 * providers publish a key before they use it: a `kid` that it lacks is not the provider's.
 */
const UNKNOWN_KEY_AGE_MS = 60_000;
/** The time for which a known key is used while the set is fetched again. */
const USABLE_MS = 86_400_000;

type Key = Readonly<Record<string, unknown>>;

interface KeySet {
  readonly keys: readonly Key[];
  /** By the monotonic clock. */
  readonly at: number;
}

/**
 * For one provider, so a single set is cached. The returned function gives the key set for verifying a token with this `kid` (RFC
 * 7517). Throws `unavailable` and `Refusal`.
 */
export const makeKeySet = ({ askForObject }: Pick<Requests, 'askForObject'>) => {
  let cached: KeySet | undefined;
  let renewal: Promise<readonly Key[]> | undefined;

  const renew = async (address: string): Promise<readonly Key[]> => {
    const { keys } = await askForObject('keys', address);
    if (!Array.isArray(keys) || !keys.every(isRecord)) throw invalidAnswer('key_set');
    cached = { keys, at: performance.now() };
    return keys;
  };

  return async (address: string, kid: string | undefined): Promise<readonly Key[]> => {
    const old = cached;
    const age = old === undefined ? Number.POSITIVE_INFINITY : performance.now() - old.at;
    const isInSet = kid !== undefined && old?.keys.some((key) => key.kid === kid) === true;
    const maxAge = isInSet || kid === undefined ? FRESH_MS : UNKNOWN_KEY_AGE_MS;
    if (old !== undefined && age < maxAge) return old.keys;
    renewal ??= renew(address).finally(() => {
      renewal = undefined;
    });
    if (old !== undefined && isInSet && age < USABLE_MS) {
      // Nobody waits for this renewal: its failure must not end the process.
      renewal.catch(() => undefined);
      return old.keys;
    }
    return renewal;
  };
};
