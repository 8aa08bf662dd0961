import type { Kit } from '../kit.ts';
import { PASSKEY_KEYS, passkeyKey } from '../ways-in/login-key.ts';

/** Their keys are digests, so the first ones are no worse a sample than any. */
const MOST = 1_000;

/**
 * Warns of passkeys that were made for another RP ID: nobody can use them since `PASSKEY_RP_ID` was changed. Of many
 * passkeys it looks at a part.
 */
export const makeWarnOfOtherSites = (
  kit: Pick<Kit, 'accounts' | 'digest' | 'log' | 'loginKeys' | 'passkeys'>,
) => {
  const { accounts, digest, log, loginKeys } = kit;

  return async (most = MOST): Promise<number> => {
    const site = kit.passkeys.relyingParty;
    if (site === null) return 0;
    const records = await loginKeys.list(PASSKEY_KEYS, most);
    const looked = new Set(records.map(({ key }) => key));
    let count = 0;
    for (const userId of new Set(records.map((record) => record.userId))) {
      const { passkeys = [] } = (await accounts.find(userId)) ?? {};
      const others = passkeys.filter(({ rpId }) => rpId !== site.id);
      count += others.filter(({ credentialId }) => looked.has(passkeyKey(digest, credentialId))).length;
    }
    const reason = records.length < most ? 'all' : `the first ${most}`;
    if (count > 0) log.warn('passkey.other_rp_id', { id: site.id, count, reason });
    return 0;
  };
};
