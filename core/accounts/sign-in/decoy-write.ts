import { accountKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';

/**
 * A write that nobody reads, where an email without an account, or without a live code, would need none. So a call
 * takes as many writes for one as for the other, and neither its time nor a full disk tells which it was.
 */
export const writeForNobody = async (
  { clock, digest, tries }: Pick<Kit, 'clock' | 'digest' | 'tries'>,
  email: string,
): Promise<void> => {
  await tries.add(`nobody:${accountKey(digest, email)}`, 1, clock.now());
};
