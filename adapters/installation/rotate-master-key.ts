import type { Kms } from '../../core/index.ts';
import type { Config } from '../config/config-types.ts';
import { systemClock } from '../crypto/clock.ts';
import { changeSecretFile } from '../files/create-or-replace-secret-file.ts';
import { type KeyRing, parseKeyRing, rotateKeyRing } from '../kms/key-ring.ts';
import { fromFile } from './from-file.ts';

/** Changes the ring in a master key file; returns the new ring. `change` gets the time in epoch milliseconds. */
export const changeRing = async (
  path: string,
  change: (ring: KeyRing, now: number) => KeyRing,
): Promise<KeyRing> => {
  const replace = (text: string) =>
    `${JSON.stringify(change(parseKeyRing(text), systemClock.now()), null, 2)}\n`;
  return parseKeyRing(await fromFile('MASTER_KEYS_FILE', changeSecretFile(path, replace)));
};

/**
 * Starts to encrypt with a new master key and returns its id. If the settings name the key, as with AWS, it returns the id
 * of that key. Existing ciphertext stays unchanged.
 */
export const rotateMasterKey = async (
  settings: Config['kms'] | null,
  kms: Kms & { rotate?(): Promise<string> },
): Promise<string> => {
  if (settings?.kind === 'local') await changeRing(settings.keys.path, rotateKeyRing);
  else await kms.rotate?.();
  return kms.current();
};
