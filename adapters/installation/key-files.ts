import { readFile } from 'node:fs/promises';
import { invalid } from '../../core/index.ts';
import type { KeyLine } from '../../core/key-status.ts';
import type { Config } from '../config/config-types.ts';
import { systemClock } from '../crypto/clock.ts';
import { changeSecretFile } from '../files/create-or-replace-secret-file.ts';
import {
  parseSigningKeySet,
  retireSigningKey,
  rotateSigningKeys,
  type SigningKeySet,
  signingKeyState,
} from '../jwt/signing-keys.ts';
import { parseKeyRing, retireKey } from '../kms/key-ring.ts';
import { fromFile } from './from-file.ts';
import { changeRing } from './rotate-master-key.ts';

/** Seconds for which a new signing key is published before it signs, so that every verifier has it. */
const PUBLISHED_FIRST = 600;

const stateOf = (isCurrent: boolean, retiredAt: string | undefined): KeyLine['state'] => {
  if (retiredAt !== undefined) return 'retired';
  return isCurrent ? 'current' : 'old';
};

/** The key files that the settings name, for operators. Each call throws `ConfigError` for a broken file. */
export const openKeyFiles = (config: Config) => {
  const { path } = config.signingKeys;
  const signingLines = (set: SigningKeySet): readonly KeyLine[] =>
    set.keys.map((key) => ({
      kind: 'signing',
      id: key.kid,
      state: signingKeyState(set, key, systemClock.now()),
      createdAt: key.iat === undefined ? null : new Date(key.iat * 1_000).toISOString(),
    }));

  const masterLines = async (): Promise<readonly KeyLine[]> => {
    if (config.kms.kind !== 'local') return [];
    const text = await readFile(config.kms.keys.path, 'utf8');
    const ring = await fromFile('MASTER_KEYS_FILE', (async () => parseKeyRing(text))());
    return ring.keys.map(({ id, createdAt, retiredAt }) => ({
      kind: 'master',
      id,
      state: stateOf(id === ring.current, retiredAt),
      createdAt,
    }));
  };

  const changeSigning = async (
    change: (set: SigningKeySet) => SigningKeySet,
  ): Promise<readonly KeyLine[]> => {
    const replace = (text: string) => `${JSON.stringify(change(parseSigningKeySet(text)), null, 2)}\n`;
    const changed = await fromFile('SIGNING_KEYS_FILE', changeSecretFile(path, replace));
    return signingLines(parseSigningKeySet(changed));
  };

  const readSigning = () =>
    fromFile('SIGNING_KEYS_FILE', readFile(path, 'utf8').then(parseSigningKeySet)).then(signingLines);

  return {
    list: async (): Promise<readonly KeyLine[]> => [...(await readSigning()), ...(await masterLines())],

    /** Adds a signing key, which signs after 10 minutes, or at once. Returns its id. */
    rotateSigning: async ({ atOnce }: { readonly atOnce: boolean }): Promise<string> => {
      const times = {
        tokenSeconds: config.accessTokenSeconds,
        delaySeconds: atOnce ? 0 : PUBLISHED_FIRST,
      };
      const lines = await changeSigning((set) => rotateSigningKeys(set, systemClock.now(), times));
      return lines.at(-1)?.id ?? '';
    },

    /** Removes a signing key: its tokens are no longer accepted. Throws `invalid` (`unknown_key`, `current_key`). */
    retireSigning: async (id: string): Promise<void> => {
      await changeSigning((set) => retireSigningKey(set, id, systemClock.now()));
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
