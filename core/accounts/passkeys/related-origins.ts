import { CoreError } from '../../errors.ts';
import { list, object, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
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
