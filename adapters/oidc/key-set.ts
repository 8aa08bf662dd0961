import { isRecord } from '../files/json.ts';
import { invalidAnswer } from './refusal.ts';
import type { Requests } from './requests.ts';

/** Milliseconds for which a set is taken as it is. */
const FRESH = 300_000;
/** Milliseconds after which an unknown key is looked for anew: providers put a key into the set before they use it. */
const UNKNOWN_AFTER = 60_000;
/** Milliseconds for which a known key is taken while the set is asked for. */
const LAST_GOOD = 86_400_000;

type Key = Readonly<Record<string, unknown>>;

interface KeySet {
  readonly keys: readonly Key[];
  /** By the monotonic clock. */
  readonly at: number;
}

/** Gives the keys by which a token that names this key is verified (RFC 7517). Throws `unavailable` and `Refusal`. */
export const makeKeySet = ({ askForObject }: Pick<Requests, 'askForObject'>) => {
  let kept: KeySet | undefined;
  let renewal: Promise<readonly Key[]> | undefined;

  const renew = async (address: string): Promise<readonly Key[]> => {
    const { keys } = await askForObject(address);
    if (!Array.isArray(keys) || !keys.every(isRecord)) throw invalidAnswer('key_set');
    kept = { keys, at: performance.now() };
    return keys;
  };

  return async (address: string, kid: string | undefined): Promise<readonly Key[]> => {
    const old = kept;
    const age = old === undefined ? Number.POSITIVE_INFINITY : performance.now() - old.at;
    const isKnown = kid !== undefined && old?.keys.some((key) => key.kid === kid) === true;
    if (old !== undefined && age < (isKnown || kid === undefined ? FRESH : UNKNOWN_AFTER)) return old.keys;
    renewal ??= renew(address).finally(() => {
      renewal = undefined;
    });
    if (old !== undefined && isKnown && age < LAST_GOOD) {
      renewal.catch(() => undefined);
      return old.keys;
    }
    return renewal;
  };
};
