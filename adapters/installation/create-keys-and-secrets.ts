import { requireArguments } from '../../core/check-arguments.ts';
import type { Clock, Random } from '../../core/index.ts';
import { oneOf, TEXT } from '../../core/schema.ts';
import { ConfigError } from '../config/config-error.ts';
import type { KeysFile, Secrets } from '../config/config-types.ts';
import { SECRET_RULES, strongSecrets } from '../config/strong-secrets.ts';
import { systemClock } from '../crypto/clock.ts';
import { makeRandom } from '../crypto/random.ts';
import { addSecretFile, readOrMakeSecret } from '../files/create-or-replace-secret-file.ts';
import { makeSigningKeySet } from '../jwt/signing-keys.ts';
import { makeKeyRing } from '../kms/key-ring.ts';

/** A setting whose secret the first start creates in a file if it is not set. */
type CreatedSecret = 'INTERNAL_SECRET' | 'HASH_KEY' | 'WEBHOOK_SECRETS';

/** The values of a setting, or of the file that the first start makes. Throws `ConfigError` for a file without a valid secret. */
export const secretValues = async (
  setting: CreatedSecret,
  secrets: Secrets,
  random: Random,
): Promise<readonly string[]> => {
  if ('values' in secrets) return secrets.values;
  const text = await readOrMakeSecret(secrets.madeIn, () => random.text(32));
  const { most, bytes } = SECRET_RULES[setting];
  const values = strongSecrets({ most, bytes })(text);
  if (values !== undefined) return values;
  throw new ConfigError([
    `${setting}: ${secrets.madeIn} must hold 1 to ${most} secrets of at least ${bytes} bytes`,
  ]);
};

const signingKeysText = (clock: Clock) => JSON.stringify(makeSigningKeySet(clock.now()), null, 2);
const masterKeysText = (clock: Clock) => JSON.stringify(makeKeyRing(clock.now()), null, 2);

/** Creates the missing key files that the settings leave to the first start (`made`). Existing files stay unchanged. */
export const makeMissingKeys = async (
  clock: Clock,
  { signing, master }: { readonly signing: KeysFile; readonly master: KeysFile | null },
): Promise<void> => {
  // In parallel: each waits for the disk twice.
  await Promise.all([
    signing.made && readOrMakeSecret(signing.path, () => signingKeysText(clock)),
    master?.made && readOrMakeSecret(master.path, () => masterKeysText(clock)),
  ]);
};

export type KeyKind = 'signing' | 'master' | 'hash';

const makeKeyText: Readonly<Record<KeyKind, () => string>> = {
  signing: () => signingKeysText(systemClock),
  master: () => masterKeysText(systemClock),
  hash: () => makeRandom().text(32),
};

/** Creates a first key file (0600); false if the file exists, which then stays unchanged. */
export const makeKeyFile = async (kind: KeyKind, path: string): Promise<boolean> => {
  requireArguments([kind, path], { kind: oneOf(Object.keys(makeKeyText)), path: TEXT });
  return addSecretFile(path, `${makeKeyText[kind]()}\n`);
};
