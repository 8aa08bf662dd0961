import { chmodSync, mkdirSync } from 'node:fs';
import type { Clock, Random } from '../../core/index.ts';
import type { KeysFile, Secrets } from '../config/types.ts';
import { readOrMakeSecret } from '../files/secret-file.ts';
import { makeSigningKeySet } from '../jwt/signing-key-set.ts';
import { makeKeyRing } from '../kms/key-ring.ts';

/** The folder of everything a machine keeps, for its owner alone. */
export const makeDataDir = (folder: string): void => {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return;
  chmodSync(folder, 0o700);
};

/** The values of a secret: those that were set, or the one in its file, which the first start makes. */
export const secretValues = async (secrets: Secrets, random: Random): Promise<readonly string[]> =>
  'given' in secrets
    ? secrets.given
    : (await readOrMakeSecret(secrets.madeIn, () => random.text(32))).split(',').map((part) => part.trim());

/** Makes the key files that the settings leave to the first start; those that are there stay as they are. */
export const makeMissingKeys = async (
  clock: Clock,
  files: { readonly signing: KeysFile; readonly master: KeysFile | null },
): Promise<void> => {
  const { signing, master } = files;
  if (signing.made) await addOnce(signing.path, () => makeSigningKeySet(clock.now()));
  if (master?.made) await addOnce(master.path, () => makeKeyRing(clock.now()));
};

const addOnce = async (path: string, make: () => unknown): Promise<void> => {
  await readOrMakeSecret(path, () => JSON.stringify(make(), null, 2));
};
