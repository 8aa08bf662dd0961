import { CoreError } from '../../errors.ts';
import { list, object, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { PASSKEY_PREFIX, passkeyKey } from '../login-key.ts';
import { requireRelyingParty } from './request-options.ts';

export const relatedOrigins = object(
  { origins: list(text({ format: 'uri', examples: ['https://example.org'] })) },
  { title: 'RelatedOrigins' },
);
export type RelatedOrigins = TypeOf<typeof relatedOrigins>;

/** Captures the host. The origins of Android apps (`android:apk-key-hash:…`) and `http://localhost` do not match. */
const WEB = /^https:\/\/([^/:]+)(?::\d+)?$/;

/** Whether a web origin lies outside the RP ID, so that browsers ask the site about it (WebAuthn Level 3, section 5.11). */
const isOutside = (origin: string, id: string): boolean => {
  const [, host] = WEB.exec(origin) ?? [];
  return host !== undefined && host !== id && !host.endsWith(`.${id}`);
};

export const makeRelatedOrigins = (deps: Pick<Deps, 'passkeys'>) => (): RelatedOrigins => {
  const { id, origins } = requireRelyingParty(deps);
  const outside = origins.filter((origin) => isOutside(origin, id));
  if (outside.length === 0)
    throw new CoreError('missing', 'not_found', 'No other origin uses these passkeys.');
  return { origins: outside };
};

/** The most passkeys checked. Login keys are digests, so the first ones are a fair sample. */
const MOST_CHECKED = 1_000;

/**
 * Warns of passkeys that were created for another RP ID: nobody can use them since `PASSKEY_RP_ID` was changed. Of many
 * passkeys it checks a sample. Returns 0: as a background job it would run again at once after any other number.
 */
export const makeWarnOfFormerRpId = (
  deps: Pick<Deps, 'accounts' | 'digest' | 'log' | 'loginKeys' | 'passkeys'>,
) => {
  const { accounts, digest, log, loginKeys } = deps;

  return async (most = MOST_CHECKED): Promise<number> => {
    const relyingParty = deps.passkeys.relyingParty;
    if (relyingParty === null) return 0;
    const records = await loginKeys.list(PASSKEY_PREFIX, most);
    const sampledKeys = new Set(records.map(({ key }) => key));
    let count = 0;
    for (const userId of new Set(records.map((record) => record.userId))) {
      const { passkeys = [] } = (await accounts.find(userId)) ?? {};
      const others = passkeys.filter(({ rpId }) => rpId !== relyingParty.id);
      count += others.filter(({ credentialId }) => sampledKeys.has(passkeyKey(digest, credentialId))).length;
    }
    const checked = records.length < most ? 'all' : `the first ${most}`;
    if (count > 0) log.warn('passkey.other_rp_id', { id: relyingParty.id, count, reason: checked });
    return 0;
  };
};
