import { accountKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';

/**
 * A decoy write, which nobody reads, for an email without an account or without a live code. So a call makes as many
 * writes for an unknown email as for a known one, and neither its time nor a full disk tells them apart.
 */
export const writeDecoy = async (
  { clock, digest, tries }: Pick<Kit, 'clock' | 'digest' | 'tries'>,
  email: string,
): Promise<void> => {
  await tries.add(`nobody:${accountKey(digest, email)}`, 1, clock.now());
};
