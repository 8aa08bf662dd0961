import { CoreError } from '../../errors.ts';
import { siteOf } from '../ceremonies/options.ts';
import type { Kit } from '../kit.ts';

const WEB = /^https:\/\/([^/:]+)(?::\d+)?$/;

/** Of another domain than the site's: browsers ask the site about it (WebAuthn Level 3, section 5.11). */
const isOutside = (origin: string, id: string): boolean => {
  const [, host] = WEB.exec(origin) ?? [];
  return host !== undefined && host !== id && !host.endsWith(`.${id}`);
};

export const makeRelatedOrigins =
  (kit: Pick<Kit, 'passkeys'>) => (): { readonly origins: readonly string[] } => {
    const { id, origins } = siteOf(kit);
    const outside = origins.filter((origin) => isOutside(origin, id));
    if (outside.length === 0)
      throw new CoreError('missing', 'not_found', 'No other origin uses these passkeys.');
    return { origins: outside };
  };
