import { invalid, type Kms } from '../../core/index.ts';
import type { KeyLine } from '../../core/key-status.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/config-types.ts';
import { systemClock } from '../crypto/clock.ts';
import { changeSecretFile } from '../files/create-or-replace-secret-file.ts';
import { readText, WrongFile } from '../files/watched-file.ts';
import {
  parseSigningKeySet,
  retireSigningKey,
  rotateSigningKeys,
  type SigningKeySet,
  signingKeyState,
} from '../jwt/signing-keys.ts';
import { type KeyRing, parseKeyRing, retireKey, rotateKeyRing } from '../kms/key-ring.ts';

/** The time for which a new signing key is published before it signs, so that every verifier has it. */
const PREPUBLICATION_SECONDS = 600;

/** Awaits `opening`. Throws `ConfigError` with the setting's name if its file is wrong. */
export const fromFile = async <T>(setting: string, opening: Promise<T>): Promise<T> => {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof WrongFile ? new ConfigError([`${setting}: the file ${error.message}`]) : error;
  }
};

const readKeys = <T>(setting: string, path: string, parse: (text: string) => T): Promise<T> =>
  fromFile(setting, readText(path).then(parse));

/** Changes the keys in a file; returns the new keys. `change` gets the time in epoch milliseconds. */
const changeKeys = async <T>(
  setting: string,
  path: string,
  parse: (text: string) => T,
  change: (keys: T, now: number) => T,
): Promise<T> => {
  // Read first, for the `ConfigError` of a missing or unreadable file: the change would reject with the file system's error.
  await readKeys(setting, path, parse);
  const replace = (text: string) => `${JSON.stringify(change(parse(text), systemClock.now()), null, 2)}\n`;
  return parse(await fromFile(setting, changeSecretFile(path, replace)));
};

const changeRing = (path: string, change: (ring: KeyRing, now: number) => KeyRing) =>
  changeKeys('MASTER_KEYS_FILE', path, parseKeyRing, change);

/**
 * Starts to encrypt with a new master key and returns its id. A service without `rotate`, such as AWS, keeps its key, whose
 * id is returned. `settings` is null for an app's own KMS. Existing ciphertext stays unchanged.
 */
export const rotateMasterKey = async (
  settings: Config['kms'] | null,
  kms: Kms & { rotate?(): Promise<string> },
): Promise<string> => {
  if (settings?.kind === 'local') await changeRing(settings.keys.path, rotateKeyRing);
  else await kms.rotate?.();
  return kms.current();
};

const stateOf = (isCurrent: boolean, retiredAt: string | undefined): KeyLine['state'] => {
  if (retiredAt !== undefined) return 'retired';
  return isCurrent ? 'current' : 'old';
};

/** The key files that the settings name, for operators. Each call throws `ConfigError` for a missing or broken file. */
export const openKeyFiles = (config: Config) => {
  const { path } = config.signingKeys;
  const changeSigning = (change: (set: SigningKeySet, now: number) => SigningKeySet) =>
    changeKeys('SIGNING_KEYS_FILE', path, parseSigningKeySet, change);

  return {
    list: async (): Promise<readonly KeyLine[]> => {
      const set = await readKeys('SIGNING_KEYS_FILE', path, parseSigningKeySet);
      const signing = set.keys.map(
        (key): KeyLine => ({
          kind: 'signing',
          id: key.kid,
          state: signingKeyState(set, key, systemClock.now()),
          createdAt: key.iat === undefined ? null : new Date(key.iat * 1_000).toISOString(),
        }),
      );
      if (config.kms.kind !== 'local') return signing;
      const ring = await readKeys('MASTER_KEYS_FILE', config.kms.keys.path, parseKeyRing);
      const master = ring.keys.map(
        ({ id, createdAt, retiredAt }): KeyLine => ({
          kind: 'master',
          id,
          state: stateOf(id === ring.current, retiredAt),
          createdAt,
        }),
      );
      return [...signing, ...master];
    },

    /** Adds a signing key, which signs after 10 minutes, or at once. Returns its id. */
    rotateSigning: async ({ atOnce }: { readonly atOnce: boolean }): Promise<string> => {
      const times = {
        tokenSeconds: config.accessTokenSeconds,
        delaySeconds: atOnce ? 0 : PREPUBLICATION_SECONDS,
      };
      const { keys } = await changeSigning((set, now) => rotateSigningKeys(set, now, times));
      // The new key is the last in the file.
      return keys.at(-1)?.kid ?? '';
    },

    /** Removes a signing key: its tokens are no longer accepted. Throws `invalid` (`unknown_key`, `current_key`). */
    retireSigning: async (id: string): Promise<void> => {
      await changeSigning((set, now) => retireSigningKey(set, id, now));
    },

    /** Retires a master key: it decrypts nothing any more. Throws `invalid` (`unknown_key`, `current_key`, `not_local`). */
    retireMaster: async (id: string): Promise<void> => {
      if (config.kms.kind !== 'local') {
        throw invalid('not_local', 'This master key is the key service’s own: disable it there.');
      }
      await changeRing(config.kms.keys.path, (ring, now) => retireKey(ring, id, now));
    },
  };
};
